// A game waits: shown by the browser also when no page is open. Clicking it leads to one's games.
self.addEventListener("push", (event) => {
  const { title = "Sandtable", text = "" } = event.data?.json() ?? {};
  event.waitUntil(self.registration.showNotification(title, { body: text, tag: "waiting", icon: "/icon.svg" }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow("/multiplayer"));
});
