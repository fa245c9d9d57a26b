/// A linear scale from a domain to a range, and back.
export interface Linear {
  (value: number): number;
  invert(at: number): number;
  range: readonly [number, number];
}

/// Lists round numbers from 0 on below `end`, about `about` of them: 0, 5, 10, ...
export function ticks(end: number, about: number): number[] {
  if (!(end > 0)) return [0];
  const rough = end / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const each = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const all: number[] = [];
  for (let at = 0; at * each < end; ++at) all.push(Number((at * each).toPrecision(12)));
  return all;
}

export function linear(
  domain: readonly [number, number],
  range: readonly [number, number],
): Linear {
  const slope = (range[1] - range[0]) / (domain[1] - domain[0] || 1);
  const scale = (value: number) => range[0] + (value - domain[0]) * slope;
  const invert = (at: number) => domain[0] + (at - range[0]) / (slope || 1);
  return Object.assign(scale, { invert, range });
}
