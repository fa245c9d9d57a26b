import { moved, unzoomed, zoomedAt, type Size, type Zoom } from "../drawing/camera";

const least_move = 3; // pixels; less is a click

interface Point {
  x: number;
  y: number;
}

/// Lets a reader zoom and move what a box shows: by the wheel with Ctrl, by dragging what is zoomed,
/// by two fingers, and by steps.
export class Zooming {
  private m_zoom: Zoom = unzoomed;
  private m_from: Point | undefined; // of the mouse that moves it
  private m_far = false; // whether it moved, and is no click
  private m_fingers: Point[] = [];
  private readonly m_stop = new AbortController();

  constructor(
    private readonly m_box: HTMLElement,
    private readonly m_changed: (zoom: Zoom) => void,
  ) {
    this.listen("wheel", (event: WheelEvent) => this.wheel(event));
    this.listen("pointerdown", (event: PointerEvent) => this.down(event));
    this.listen("pointermove", (event: PointerEvent) => this.move(event));
    this.listen("pointerup", () => (this.m_from = undefined));
    this.listen("pointercancel", () => (this.m_from = undefined));
    this.listen("click", (event: MouseEvent) => this.m_far && event.stopImmediatePropagation());
    for (const name of ["touchstart", "touchmove", "touchend", "touchcancel"])
      this.listen(name, (event: TouchEvent) => this.touch(event));
  }

  stop(): void {
    this.m_stop.abort();
  }

  get zoom(): Zoom {
    return this.m_zoom;
  }

  /// Zooms about the middle of the box; by 0 it shows all again.
  zoomBy(by: number): void {
    const { width, height } = this.size;
    this.set(by === 0 ? unzoomed : zoomedAt(this.m_zoom, by, width / 2, height / 2, this.size));
  }

  /// Keeps what is shown within a box that has changed its size.
  fit(): void {
    this.m_zoom = moved(this.m_zoom, 0, 0, this.size);
  }

  private get size(): Size {
    return { width: this.m_box.clientWidth, height: this.m_box.clientHeight };
  }

  private listen<Of extends Event>(name: string, listener: (event: Of) => void): void {
    this.m_box.addEventListener(name, listener as EventListener, {
      capture: name === "click",
      passive: false,
      signal: this.m_stop.signal,
    });
  }

  private set(zoom: Zoom): void {
    this.m_zoom = zoom;
    this.m_changed(zoom);
  }

  private at(of: { clientX: number; clientY: number }): Point {
    const { left, top } = this.m_box.getBoundingClientRect();
    return { x: of.clientX - left, y: of.clientY - top };
  }

  /// A wheel scrolls the page unless a key is held. A pinch on a touchpad is a wheel with Ctrl, and
  /// its deltas are small.
  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 0.05 : event.deltaMode ? 1 : 0.002;
    const { x, y } = this.at(event);
    const by = 2 ** (-event.deltaY * unit * (event.ctrlKey ? 10 : 1));
    this.set(zoomedAt(this.m_zoom, by, x, y, this.size));
  }

  private down(event: PointerEvent): void {
    this.m_far = false;
    if (event.pointerType === "mouse" && event.button === 0 && this.m_zoom.k > 1 && !event.shiftKey)
      this.m_from = this.at(event);
  }

  private move(event: PointerEvent): void {
    if (!this.m_from) return;
    const to = this.at(event);
    const [x, y] = [to.x - this.m_from.x, to.y - this.m_from.y];
    if (!this.m_far && Math.hypot(x, y) < least_move) return;
    if (!this.m_far) this.m_box.setPointerCapture(event.pointerId);
    this.m_far = true;
    this.m_from = to;
    this.set(moved(this.m_zoom, x, y, this.size));
  }

  /// Two fingers zoom and move it, one moves it once it is zoomed.
  private touch(event: TouchEvent): void {
    const now = Array.from(event.targetTouches, (one) => this.at(one)).slice(0, 2);
    const before = this.m_fingers;
    this.m_fingers = now;
    const acts = now.length > 1 || (now.length === 1 && this.m_zoom.k > 1);
    if (event.type !== "touchmove" || !acts || before.length !== now.length) return;
    event.preventDefault();
    const [from, to] = [middle(before), middle(now)];
    const shifted = moved(this.m_zoom, to.x - from.x, to.y - from.y, this.size);
    const by = now.length > 1 ? apart(now) / Math.max(1, apart(before)) : 1;
    this.set(zoomedAt(shifted, by, to.x, to.y, this.size));
  }
}

function middle(points: readonly Point[]): Point {
  const [a, b = a] = points;
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function apart([a, b]: readonly Point[]): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
