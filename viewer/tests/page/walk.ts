import type { JSHandle, Page } from "playwright-core";
import { key_help } from "../../src/ui/keys";
import type { Opened } from "./browser";
import { installWalker, type Control, type Walked, type Walker } from "./walker_in_page";

const panels = ["failure", "counts", "processor", "messages", "code", "bound", "about", "quiz"];

/// The states that a page is walked in: in its midst each panel, with a processor chosen and a block
/// followed and a mark, its first and its last step, a quiz of each kind.
export function statesOf(steps: number): string[] {
  const middle = Math.max(1, steps >> 1);
  return [
    ...panels.map((panel) => `#step=${middle}&panel=${panel}`),
    `#step=${middle}&panel=processor&processor=1&follow=0-1&mark=0-1`,
    `#step=0&panel=counts`,
    `#step=${steps}&panel=counts`,
    ...["where", "words", "steps"].map((asks) => `#quiz=${asks}&questions=2&seed=1`),
  ];
}

/// The states in which keys are pressed: after the first and the last step, with a processor chosen.
export function keyStatesOf(steps: number): string[] {
  return [1, steps].map((step) => `#step=${step}&panel=counts&processor=1`);
}

/// Acts on a control with the mouse and the keys. Result: whether anything else changed.
async function act(page: Page, walker: JSHandle<Walker>, control: Control): Promise<boolean> {
  const types = ["number", "text"].includes(control.kind);
  if (types || ["select", "range", "mark"].includes(control.kind))
    return walker.evaluate((it, one) => it.actInPage(one), control);
  const element = await walker.evaluateHandle((it, one) => it.prepare(one), control);
  // A checkbox is switched back again.
  for (let times = control.kind === "checkbox" ? 2 : 1; times > 0; --times) {
    await element.hover();
    const before = await walker.evaluate((it) => it.state());
    await page.mouse.down();
    await page.mouse.up();
    if (!(await changes(walker, before))) return false;
  }
  return true;
}

/// Whether the state becomes another one soon.
function changes(walker: JSHandle<Walker>, before: string): Promise<boolean> {
  return walker.evaluate(async (it, was) => {
    for (let tries = 0; tries < 11; ++tries) {
      if (it.state() !== was) return true;
      await new Promise((resolve) => setTimeout(resolve, 2 ** tries));
    }
    return false;
  }, before);
}

/// Walks the controls of a page that is open from each of these states, of each list so many. What
/// was acted on in one of them is not acted on again. With the mouse, a control that something covers
/// is dead; without it goes faster.
export async function walkControls(
  { page }: Opened,
  addresses: readonly string[],
  { mostOfAList = 10, byMouse = true } = {},
): Promise<Walked> {
  await page.evaluate(installWalker);
  const walker = await page.evaluateHandle(
    () => (window as unknown as { walker: Walker }).walker,
  );
  if (byMouse) {
    await page.exposeFunction("actByMouse", (one: Control) => act(page, walker, one));
    await walker.evaluate((it) => {
      const { actByMouse } = window as unknown as { actByMouse: Walker["act"] };
      it.act = actByMouse;
    });
  }
  return walker.evaluate((it, [states, most]) => it.walk(states, most), [
    addresses,
    mostOfAList,
  ] as const);
}

// The keys of the help, as they are pressed.
const pressed: Record<string, string> = {
  space: " ",
  "←": "ArrowLeft",
  "→": "ArrowRight",
  Esc: "Escape",
  "−": "-",
};

/// The keys that the help lists.
export const keys = key_help.flatMap(([names]) =>
  names.split(" ").map((name) => pressed[name] ?? name),
);

/// Lists the keys that change nothing in any of these states.
export async function deadKeys({ page }: Opened, addresses: readonly string[]): Promise<string[]> {
  await page.evaluate(installWalker);
  const walker = await page.evaluateHandle(() => (window as unknown as { walker: Walker }).walker);
  const dead: string[] = [];
  for (const key of keys) {
    let acts = false;
    for (const address of addresses) {
      if (acts) break;
      const before = await walker.evaluate(async (it, to) => {
        await it.reset(to);
        return it.state();
      }, address);
      await page.keyboard.press(key);
      acts = await changes(walker, before);
    }
    if (!acts) dead.push(key);
  }
  return dead;
}
