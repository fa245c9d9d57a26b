// Stands in for d3-interpolate in the bundle: only transitions would interpolate (see
// transition.ts).

export function interpolate<T>(_from: T, to: T): () => T {
  return () => to;
}

export const interpolateZoom = interpolate;
