/** Where seats lie around the table, in pixels of the stage. */

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Layout {
  /** The table's outer edge. */
  rail: { x: number; y: number; width: number; height: number; radius: number };
  /** Centres of the seats, by seat number. */
  seats: Point[];
  /** Where each seat's bet lies. */
  bets: Point[];
  centre: Point;
}

/** A point on the edge of a rounded rectangle, `part` of the way round from the middle of the bottom, clockwise. */
export function onEdge(part: number, x: number, y: number, width: number, height: number, radius: number): Point {
  const r = Math.min(radius, width / 2, height / 2);
  const flat = width - 2 * r;
  const side = height - 2 * r;
  const turn = (Math.PI * r) / 2;
  const around = 2 * (flat + side) + 4 * turn;
  let left = (((part % 1) + 1) % 1) * around;
  const corner = (cx: number, cy: number, from: number): Point => {
    const angle = from + left / r;
    return { x: cx + r * Math.cos(angle), y: cy + r * Math.sin(angle) };
  };
  const right = x + width;
  const bottom = y + height;
  if (left <= flat / 2) return { x: x + width / 2 - left, y: bottom };
  left -= flat / 2;
  if (left <= turn) return corner(x + r, bottom - r, Math.PI / 2);
  left -= turn;
  if (left <= side) return { x, y: bottom - r - left };
  left -= side;
  if (left <= turn) return corner(x + r, y + r, Math.PI);
  left -= turn;
  if (left <= flat) return { x: x + r + left, y };
  left -= flat;
  if (left <= turn) return corner(right - r, y + r, -Math.PI / 2);
  left -= turn;
  if (left <= side) return { x: right, y: y + r + left };
  left -= side;
  if (left <= turn) return corner(right - r, bottom - r, 0);
  left -= turn;
  return { x: right - r - left, y: bottom };
}

/** Seats at equal distances along the rail, clockwise, `own` at the bottom (seat 0 for somebody who watches). */
export function layout(count: number, own: number, stage: Size, pod: Size, ownPod: Size): Layout {
  const below = Math.max(ownPod.height, pod.height);
  const x = pod.width / 2 + 4;
  const y = pod.height / 2 + 4;
  const width = Math.max(stage.width - 2 * x, 10);
  const height = Math.max(stage.height - y - below * 0.62, 10);
  const radius = Math.min(width, height) / (count > 4 && height > width * 0.9 ? 2.9 : 2); // many on a tall stage sit along its sides
  const centre = { x: x + width / 2, y: y + height / 2 };
  const first = Math.max(own, 0);
  const seats: Point[] = [];
  const bets: Point[] = [];
  for (let seat = 0; seat < count; seat++) {
    const place = (seat - first + count) % count;
    const size = place === 0 ? ownPod : pod;
    const point = onEdge(place / count, x, y, width, height, radius);
    if (place === 0) point.y = stage.height - ownPod.height / 2 - 2;
    seats.push(point);
    bets.push(inward(point, centre, size));
  }
  return { rail: { x, y, width, height, radius }, seats, bets, centre };
}

/** Just off a pod, on the way to the middle of the table. */
function inward(from: Point, centre: Point, pod: Size): Point {
  const dx = centre.x - from.x;
  const dy = centre.y - from.y;
  const past = (half: number, way: number): number => (Math.abs(way) < 1 ? Infinity : half / Math.abs(way));
  const part = Math.min(past(pod.width / 2 + 42, dx), past(pod.height / 2 + 18, dy), 0.75);
  return { x: from.x + dx * part, y: from.y + dy * part };
}
