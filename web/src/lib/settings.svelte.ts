/** How this person likes the page; kept in the browser. */
import type { Unit } from "./amounts";
import { guestName } from "./names";

export interface Settings {
  name: string;
  theme: "auto" | "light" | "dark";
  cloth: "green" | "blue" | "wine";
  fourColours: boolean;
  unit: Unit;
  sounds: boolean;
  hud: boolean;
}

const KEY = "felt.settings";
const USUAL: Settings = {
  name: "",
  theme: "auto",
  cloth: "green",
  fourColours: false,
  unit: "chips",
  sounds: false,
  hud: true,
};

function kept(): Settings {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return { ...USUAL };
  }
}

export const settings = $state(kept());
settings.name ||= guestName(); // so that two clicks are enough to play

/** Keep the settings and show them; to be called in an effect. */
export function settle(): void {
  const root = document.documentElement;
  const dark =
    settings.theme === "dark" || (settings.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "dark" : "light";
  root.dataset.cloth = settings.cloth;
  root.dataset.deck = settings.fourColours ? "four" : "two";
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // a browser that keeps nothing: the settings hold until it is closed
  }
}
