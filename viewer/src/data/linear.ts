/// A linear scale from a domain to a range, and back.
export interface Linear {
  (value: number): number;
  invert(at: number): number;
  range: readonly [number, number];
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
