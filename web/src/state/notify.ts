/** Notifications of the browser, where the server has a key for them. */
import { call } from "../api/client";

export const canNotify = (): boolean => "serviceWorker" in navigator && "PushManager" in globalThis;

/** Bytes of a key in the alphabet of addresses. */
export function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const plain = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** Ask the browser, and let the server know. False if the person says no. */
export async function subscribe(key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const worker = await navigator.serviceWorker.register("/notify.js");
  const found = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
  await call("post", "/api/me/push", { body: { subscription: found.toJSON() as Record<string, unknown> } });
  return true;
}
