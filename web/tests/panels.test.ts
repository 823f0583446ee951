import { fireEvent, render } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import Dice from "../src/ui/Dice.svelte";
import Stepper from "../src/ui/Stepper.svelte";
import GameOptions from "../src/screens/GameOptions.svelte";
import UnitEdit from "../src/screens/UnitEdit.svelte";
import type { Setup } from "../src/state/setup";
import { freshSetup } from "../src/state/setup";
import { scenario } from "./samples";

describe("dice", () => {
  it("say what fell and how many hit", () => {
    const { getByRole } = render(Dice, { props: { faces: [1, 5, 2], needed: 2 } });
    expect(getByRole("img", { hidden: true }).getAttribute("aria-label")).toBe("Dice 1, 5, 2; 2 hit");
  });
});

describe("steppers", () => {
  it("stop at their ends", async () => {
    const seen: number[] = [];
    const { getByLabelText } = render(Stepper, { props: { value: 1, most: 1, label: "tanks", onchange: (next: number) => seen.push(next) } });
    expect((getByLabelText("More: tanks") as HTMLButtonElement).disabled).toBe(true);
    await fireEvent.click(getByLabelText("Less: tanks"));
    expect(seen).toEqual([0]);
  });
});

describe("the options screen", () => {
  function opened() {
    const results: (Setup | null)[] = [];
    const setup = freshSetup(scenario, []);
    const view = render(GameOptions, {
      props: { scenario, setup, oncancel: () => results.push(null), ondone: (next: Setup) => results.push(next) },
    });
    const press = (name: string) => fireEvent.click(view.getByText(name, { exact: false, selector: "button, button span" }));
    return { ...view, results, press, setup };
  }

  it("turns the lights of other options off with an old edition, and keeps it by Done", async () => {
    const { press, results, getByText } = opened();
    await press("Old rules");
    expect(getByText("Diving", { exact: false }).closest("button")?.getAttribute("aria-checked")).toBe("false");
    await press("Done");
    expect(results[0]?.options).toEqual({ old: true, dive: false });
  });

  it("forgets changes by Cancel and brings the defaults back by Reset", async () => {
    const { press, results, setup } = opened();
    await press("Old rules");
    await press("Reset");
    await press("Done");
    expect(results[0]?.options).toEqual(setup.options);
    await press("Cancel");
    expect(results[1]).toBeNull();
  });

  it("explains every option", async () => {
    const { getByLabelText, getByText } = opened();
    await fireEvent.click(getByLabelText("Help: Old rules"));
    expect(getByText("As of old.", { exact: false })).toBeTruthy();
  });
});

describe("the unit editor", () => {
  it("changes one country's units", async () => {
    const results: object[] = [];
    const { getByText, getByLabelText } = render(UnitEdit, {
      props: { scenario, edits: {}, oncancel: () => undefined, ondone: (next: object) => results.push(next) },
    });
    await fireEvent.click(getByText("Redland"));
    await fireEvent.click(getByLabelText("More: Price of infantry"));
    await fireEvent.click(getByText("Done"));
    expect(results[0]).toEqual({ red: { infantry: { cost: 4 } } });
  });
});
