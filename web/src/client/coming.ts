/** What the service is about to say, by hand: each entry goes when the description has it (then run `npm run client`). */
import type { components } from "./schema";

type Schemas = components["schemas"];

interface Get<Told> {
  get: { responses: { 200: { content: { "application/json": Told } } } };
}

export interface HandTold {
  id: string;
  table: string;
  number: number;
  game: string;
  title: string;
  when: string;
  seat: number;
  cards: string[];
  board: string[];
  won: number;
  pot: number;
  big_blind: number;
  players: string[];
  text: string;
}

export interface HandList {
  hands: HandTold[];
  next: string | null;
}

export interface Decision {
  seat: number;
  action: { move: string; amount: number };
  words: string;
  to_call: number;
  pot_odds: number | null;
  equity: number | null;
  equity_note: string | null;
  equity_actual?: number | null;
  needed: number | null;
}

export interface StepState {
  round: string | null;
  street: number;
  board: string[];
  pot: number;
  pots: Schemas["PotTold"][];
  seats: (Schemas["SeatTold"] | null)[];
  turn: number;
  legal: Schemas["LegalTold"] | null;
}

/** The hand after one event; the decision is what the seat to act then did, which leads to the next step. */
export interface Step {
  state: StepState;
  event: Schemas["EventTold"] | null;
  also?: Schemas["EventTold"][];
  decision: Decision | null;
}

export interface HandReplay {
  hand: HandTold;
  seats: { seat: number; name: string; agent: string | null; stack: number }[];
  button: number;
  blinds: number[];
  steps: Step[];
  all_cards: boolean;
}

export interface OpenedDeal {
  commitment: string;
  leaves: string[];
  cards: { at: number; card: string; salt: string }[];
}

export interface Stat {
  key: string;
  title: string;
  help: string;
  value: number | null;
  count: number;
  of: number;
  unit: string;
}

export interface Totals {
  hands: number;
  stats: Stat[];
  won: number;
  mbb: number | null;
  mbb_interval: number | null;
}

export interface SeatStatistics extends Totals {
  seat: number;
  name: string;
  agent: string | null;
}

export interface GameStatistics extends Totals {
  game: string;
  title: string;
}

export interface GraphTold {
  points: { hand: string; n: number; won: number; won_bb: number }[];
  n: number;
}

export interface ComingPaths {
  "/api/v1/tables/{table}/statistics": Get<{ seats: (SeatStatistics | null)[] }>;
  "/api/v1/hands": Get<HandList>;
  "/api/v1/hands/{hand}": Get<HandReplay>;
  "/api/v1/hands/{hand}/deal": Get<OpenedDeal>;
  "/api/v1/statistics": Get<{ games: GameStatistics[] }>;
  "/api/v1/statistics/graph": Get<GraphTold>;
}
