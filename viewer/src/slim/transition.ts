// Stands in for d3-transition in the bundle: zooming happens at once here, so there is
// never a transition to interrupt. It saves the page a sixth of its code.

export function interrupt(): void {}

export function active(): null {
  return null;
}
