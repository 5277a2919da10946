import { describe, expect, it } from "vitest";
import { estimatePose } from "../../shadow/pose.ts";
import { parseTheme } from "../words/theme.ts";
import { withoutOtherBalls } from "./own-ball.ts";
import { planScene } from "./scene-plan.ts";

const side = 120;

function posed(isInside: (x: number, y: number) => boolean) {
  const alpha = Uint8Array.from({ length: side * side }, (_, i) =>
    isInside(i % side, Math.floor(i / side)) ? 255 : 0,
  );
  return estimatePose(alpha, side, side);
}

const ball = posed((x, y) => Math.hypot(x - 60, y - 60) < 40);
const box = posed((x, y) => Math.abs(x - 60) < 38 && Math.abs(y - 60) < 38);
const bottle = posed((x, y) => Math.abs(x - 60) < 20 && Math.abs(y - 60) < 40);

function planned(text: string, pose: ReturnType<typeof posed>) {
  const theme = parseTheme(text);
  return withoutOtherBalls(planScene(theme, text, 7), theme, pose);
}
const things = (text: string, pose: ReturnType<typeof posed>) =>
  planned(text, pose).plan.things.map(({ name }) => name);

describe("a round product where a theme has balls", () => {
  it.each([
    ["clay tennis court", "tennis"],
    ["football on the pitch", "football"],
  ])("is the ball itself: %s", (text, name) => {
    expect(things(text, box)).toContain(name);
    expect(things(text, bottle)).toContain(name);
    expect(things(text, null)).toContain(name);
    expect(things(text, ball)).not.toContain(name);
  });

  it("is beside whatever is no ball", () => {
    expect(things("kitchen with lemons", ball)).toContain("lemon");
  });

  it("is reported where the theme names a thing, and not where it names the place", () => {
    expect(planned("white studio with a tennis racket", ball).theme.notShown).toContain("tennis racket");
    expect(planned("clay tennis court", ball).theme.notShown).toEqual(planned("clay tennis court", box).theme.notShown);
  });
});
