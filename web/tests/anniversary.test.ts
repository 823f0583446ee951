import { fireEvent, render } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import type { Purchase, World } from "../src/api/types";
import Breakthrough from "../src/panels/Breakthrough.svelte";
import { repair } from "../src/state/orders";
import { repairBill, roomLeft } from "../src/state/repairs";
import { targets } from "../src/state/selection";
import { homeOf } from "../src/state/table";
import { destination, index } from "./samples";

const offer = {
  treasury: 20,
  room: 6,
  prices: [{ unit: "infantry", cost: 3, affordable: 6, counts: true }, { unit: "factory", cost: 15, affordable: 1, counts: false }],
  repairs: [
    { words: "red-home", space: "red-home", unit: "factory", damage: 4, output: 6, steps: [{ points: 1, cost: 1, output: 7 }, { points: 2, cost: 2, output: 8 }] },
    { words: "middle", space: "middle", unit: "factory", damage: 9, output: 0, steps: [{ points: 1, cost: 1, output: 0 }] },
  ],
} as Purchase;

describe("repairs", () => {
  it("cost money and make room, as the server says", () => {
    const repairs = { "red-home": 2, middle: 1 };
    expect(repairBill(offer.repairs, repairs)).toBe(3);
    expect(roomLeft(offer, {}, {})).toBe(6);
    expect(roomLeft(offer, repairs, { infantry: 5, factory: 1 })).toBe(3);
    expect(repair("red-home", 2)).toBe("repair red-home 2");
  });

  it("know no limit where there is none", () => {
    expect(roomLeft({ ...offer, room: null }, {}, { infantry: 50 })).toBeNull();
  });
});

describe("the breakthrough charts", () => {
  const technologies = [
    { id: "radar", name: "Radar", help: "Guns see.", chart: 1, roll: 4, rules: [] },
    { id: "jets", name: "Jets", help: "Planes fly fast.", chart: 2, roll: 2, rules: [] },
  ] as World["technologies"];

  it("explain each development and say which are there", async () => {
    const { getByText, queryByText, container } = render(Breakthrough, { props: { technologies, owned: ["jets"] } });
    expect(queryByText("Guns see.")).toBeNull();
    await fireEvent.click(getByText("Radar"));
    expect(getByText("Guns see.")).toBeTruthy();
    expect(container.querySelectorAll(".owned")).toHaveLength(1);
    expect(queryByText("Roll on chart 1")).toBeNull();
  });

  it("are rolled on where that is open", async () => {
    const rolled: number[] = [];
    const { getByText, queryByText } = render(Breakthrough, { props: { technologies, owned: [], open: [2], onchart: (chart: number) => rolled.push(chart) } });
    expect(queryByText("Roll on chart 1")).toBeNull();
    await fireEvent.click(getByText("Roll on chart 2"));
    expect(rolled).toEqual([2]);
  });
});

describe("where things go", () => {
  it("drops troops where they cannot walk, and asks where they could", () => {
    const found = targets({ destinations: [destination("middle")], roles: [{ role: "paradrop", destinations: [destination("middle"), destination("waste")] }] });
    expect(found.get("waste")).toMatchObject({ plain: null, roles: [{ role: "paradrop" }] });
    expect(found.get("middle")?.plain).not.toBeNull();
  });

  it("begins at the capital, or on all the land of a power without one", () => {
    expect(homeOf(index, "red")).toEqual(["red-home"]);
    const none = { ...index, powers: new Map([["blue", { ...index.powers.get("blue")!, capital: null }]]) };
    expect(homeOf(none, "blue")).toEqual(["middle"]);
  });
});
