/// A rectangle in pixels of a box.
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const least_drag = 5; // pixels; less is a click

/// Lets a mouse draw a rectangle over a box, and says which. Returns what ends that.
export function markByDragging(
  box: HTMLElement,
  may: (event: PointerEvent) => boolean,
  mark: (area: Area) => void,
): () => void {
  let from: { x: number; y: number } | undefined;
  let drawn: HTMLDivElement | undefined;

  const at = (event: PointerEvent) => {
    const { left, top } = box.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const areaTo = ({ x, y }: { x: number; y: number }): Area => ({
    left: Math.min(from!.x, x),
    top: Math.min(from!.y, y),
    right: Math.max(from!.x, x),
    bottom: Math.max(from!.y, y),
  });
  const down = (event: PointerEvent) => {
    if (event.pointerType === "mouse" && event.button === 0 && may(event)) from = at(event);
  };
  const move = (event: PointerEvent) => {
    if (!from) return;
    const { left, top, right, bottom } = areaTo(at(event));
    if (!drawn && Math.max(right - left, bottom - top) < least_drag) return;
    if (!drawn) {
      drawn = box.appendChild(document.createElement("div"));
      drawn.className = "dragged";
      box.setPointerCapture(event.pointerId);
    }
    Object.assign(drawn.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${right - left}px`,
      height: `${bottom - top}px`,
    });
  };
  const end = (event: PointerEvent) => {
    if (drawn && event.type === "pointerup") {
      mark(areaTo(at(event)));
      const swallow = (click: Event) => click.stopImmediatePropagation();
      box.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => box.removeEventListener("click", swallow, { capture: true }));
    }
    drawn?.remove();
    drawn = from = undefined;
  };

  const listeners = { pointerdown: down, pointermove: move, pointerup: end, pointercancel: end };
  for (const [name, listener] of Object.entries(listeners))
    box.addEventListener(name, listener as EventListener);
  return () => {
    for (const [name, listener] of Object.entries(listeners))
      box.removeEventListener(name, listener as EventListener);
  };
}
