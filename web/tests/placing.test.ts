import { expect, test } from "vitest";
import { layout, onEdge } from "../src/lib/placing";

const pod = { width: 76, height: 62 };
const own = { width: 130, height: 110 };

test("the edge begins at the bottom and runs clockwise", () => {
  expect(onEdge(0, 0, 0, 100, 60, 30)).toEqual({ x: 50, y: 60 });
  const half = onEdge(0.5, 0, 0, 100, 60, 30);
  expect(half.x).toBeCloseTo(50);
  expect(half.y).toBeCloseTo(0);
  expect(onEdge(0.25, 0, 0, 100, 60, 30).x).toBeCloseTo(0);
});

test.each([
  [320, 410],
  [390, 590],
  [980, 560],
])("on a stage of %d by %d nobody sits on somebody, or outside", (width, height) => {
  for (let count = 2; count <= 10; count++) {
    for (let seat = 0; seat < count; seat++) {
      const { seats } = layout(count, seat, { width, height }, pod, own);
      expect(seats[seat]!.x).toBeCloseTo(width / 2);
      expect(Math.max(...seats.map((place) => place.y))).toBe(seats[seat]!.y);
      for (const [index, a] of seats.entries()) {
        expect(a.x).toBeGreaterThanOrEqual(pod.width / 2);
        expect(a.x).toBeLessThanOrEqual(width - pod.width / 2);
        expect(a.y).toBeGreaterThanOrEqual(pod.height / 2);
        for (const b of seats.slice(index + 1)) {
          const apart = Math.abs(a.x - b.x) >= pod.width * 0.7 || Math.abs(a.y - b.y) >= pod.height * 0.9;
          expect(apart, `${count} seats: ${JSON.stringify([a, b])}`).toBe(true);
        }
      }
    }
  }
});
