import { cleanup } from "@testing-library/svelte";
import { afterEach, beforeEach, vi } from "vitest";

/** No server stands behind these tests: what is asked of it without a test's own answer stays unanswered. */
beforeEach(() => vi.stubGlobal("fetch", () => new Promise<never>(() => {})));

afterEach(() => cleanup());
