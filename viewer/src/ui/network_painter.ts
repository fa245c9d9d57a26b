import { effect } from "@preact/signals";
import { projected, type Zoom } from "../drawing/camera";
import { paintRing } from "../drawing/paint_machine";
import { moversOf, nodeAt, paintMessagesOf, paintMovers, rankOfNode, type Mover } from "../drawing/paint_step";
import { paintProcessors, paintWays } from "../drawing/picture";
import { nodeOf, type Scene } from "../drawing/scene";
import { CanvasSurface } from "../drawing/surface";
import type { Store } from "../state/store";
import { markByDragging, type Area } from "./mark_by_dragging";
import { sceneOf } from "./scene_of";
import { Zooming } from "./zooming";

/// What draws on the three canvases: anew when the state changes, and in each frame while it moves.
export class NetworkPainter {
  private m_scene: Scene | undefined;
  private m_movers: Mover[] = [];
  private readonly m_still: HTMLCanvasElement;
  private readonly m_moving: HTMLCanvasElement;
  private readonly m_before: HTMLCanvasElement;
  private readonly m_zooming: Zooming;
  private readonly m_stops: (() => void)[] = [];

  constructor(
    private readonly m_store: Store,
    private readonly m_side: number,
    private readonly m_box: HTMLDivElement,
    zoomed: (zoom: Zoom) => void,
  ) {
    [this.m_still, this.m_moving, this.m_before] = Array.from(m_box.querySelectorAll("canvas"));
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(m_box);
    this.m_zooming = new Zooming(m_box, (zoom) => {
      zoomed(zoom);
      this.paint();
    });
    this.resize();
    this.m_stops.push(
      () => observer.disconnect(),
      () => this.m_zooming.stop(),
      effect(() => this.paint()),
      effect(() => this.paintMoving(this.m_store.hovered.value)),
      markByDragging(m_box, (event) => this.mayMark(event), (area) => this.markIn(area)),
      this.m_store.clock.onFrame(() => this.paintMoving()),
    );
  }

  stop(): void {
    for (const stop of this.m_stops) stop();
  }

  rankAt(x: number, y: number): number {
    if (!this.m_scene) return -1;
    const node = nodeAt(this.m_scene, x, y);
    return node < 0 ? -1 : rankOfNode(this.m_scene, node);
  }

  zoomBy(by: number): void {
    this.m_zooming.zoomBy(by);
  }

  /// A mouse marks where it does not move the drawing.
  private mayMark(event: PointerEvent): boolean {
    return !this.m_store.locked && (this.m_zooming.zoom.k <= 1 || event.shiftKey);
  }

  private markIn({ left, top, right, bottom }: Area): void {
    const { drawing, camera, run } = this.m_scene!;
    const ranks = new Set<number>();
    for (let rank = 0; rank < run.processors; ++rank) {
      const node = nodeOf(drawing, rank);
      const [x, y] = projected(camera, [drawing.layout.x[node], drawing.layout.y[node]]);
      if (x >= left && x <= right && y >= top && y <= bottom) ranks.add(rank);
    }
    this.m_store.mark.value = ranks.size > 0 ? this.m_store.markOf(ranks) : undefined;
  }

  private resize(): void {
    const ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.m_still, this.m_moving, this.m_before]) {
      canvas.width = Math.round(this.m_box.clientWidth * ratio);
      canvas.height = Math.round(this.m_box.clientHeight * ratio);
      canvas.getContext("2d")!.setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    this.m_zooming.fit();
    this.paint();
  }

  private get size() {
    return { width: this.m_box.clientWidth, height: this.m_box.clientHeight };
  }

  private paint(): void {
    const scene = sceneOf(this.m_store, this.m_side, this.size, this.m_zooming.zoom);
    this.m_scene = scene;
    this.m_movers = scene.heat ? [] : moversOf(scene);
    paintWays(this.cleared(this.m_still), scene);
    paintProcessors(this.cleared(this.m_before), scene);
    this.paintMoving();
  }

  private cleared(canvas: HTMLCanvasElement): CanvasSurface {
    const context = canvas.getContext("2d")!;
    context.clearRect(0, 0, this.size.width, this.size.height);
    return new CanvasSurface(context);
  }

  /// Draws what moves, and the processor under the pointer with its messages.
  private paintMoving(hovered = this.m_store.hovered.peek()): void {
    const surface = this.cleared(this.m_moving);
    const { share } = this.m_store.clock;
    if (!this.m_scene) return;
    if (hovered >= 0) paintMessagesOf(surface, this.m_scene, hovered);
    paintRing(surface, this.m_scene, hovered, this.m_scene.colours.busy);
    if (share < 1) paintMovers(surface, this.m_scene, this.m_movers, share);
  }
}
