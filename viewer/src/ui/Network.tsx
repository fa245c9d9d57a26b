import { effect } from "@preact/signals";
import { select } from "d3-selection";
import { zoom as d3zoom, zoomIdentity, type ZoomBehavior } from "d3-zoom";
import { useEffect, useRef, useState } from "preact/hooks";
import { counted, processorText, stepSentence } from "../data/sentences";
import { unzoomed, type Zoom } from "../drawing/camera";
import { dark, light } from "../drawing/colours";
import { moversOf, nodeAt, paintMovers, rankOfNode, type Mover } from "../drawing/paint_step";
import { paintStill } from "../drawing/picture";
import type { Scene } from "../drawing/scene";
import { CanvasSurface } from "../drawing/surface";
import type { Store } from "../state/store";
import { useStore } from "./context";
import { Icon } from "./Icon";
import { sceneOf } from "./scene_of";

/// The machine of one run, with what travels in this step. Two canvases: what stands still is drawn
/// once a step, what moves in each frame.
export function Network({ side }: { side: number }) {
  const store = useStore();
  const box = useRef<HTMLDivElement>(null);
  const [tip, setTip] = useState<{ x: number; y: number; rank: number } | undefined>(undefined);
  const painter = useRef<NetworkPainter | undefined>(undefined);
  useEffect(() => {
    painter.current = new NetworkPainter(store, side, box.current!);
    return () => painter.current?.stop();
  }, [store, side]);
  const run = store.runs[side];
  const step = store.stepOf(side);
  const hover = (event: MouseEvent) => {
    const rank = painter.current?.rankAt(event.offsetX, event.offsetY) ?? -1;
    setTip(rank < 0 ? undefined : { x: event.offsetX, y: event.offsetY, rank });
  };
  const click = (event: MouseEvent) => {
    const rank = painter.current?.rankAt(event.offsetX, event.offsetY) ?? -1;
    if (store.runs.length > 1) store.side.value = side;
    if (rank >= 0) store.choose(rank);
  };
  const { note } = store.drawings[side].grouping ?? store.drawings[side].layout;
  return (
    <div class="network">
      <div
        class="canvases"
        ref={box}
        role="img"
        aria-label={`${run.json.title}, step ${step} of ${run.steps}. ${stepSentence(run, step)}`}
        onMouseMove={hover}
        onMouseLeave={() => setTip(undefined)}
        onClick={click}
      >
        <canvas class="still" />
        <canvas class="moving" />
        {tip && (
          <div class="tip" style={{ left: `${tip.x}px`, top: `${tip.y}px` }}>
            <b>{labelOf(store, side, tip.rank)}</b>
            {!store.drawings[side].grouping && step > 0 && (
              <span> {processorText(run, tip.rank, step)}</span>
            )}
          </div>
        )}
      </div>
      <ZoomButtons painter={() => painter.current} />
      {store.heat.value && <HeatKey side={side} />}
      {note && <p class="note">{note}</p>}
    </div>
  );
}

/// What the colours of links mean that carry the loads of the whole run.
function HeatKey({ side }: { side: number }) {
  const store = useStore();
  const { low, high } = store.theme.value === "dark" ? dark : light;
  const most = store.runs[side].runLoads.reduce((words, load) => Math.max(words, load.words), 0);
  return (
    <p class="note heatkey">
      Words in the whole run: 0 <i style={{ background: `linear-gradient(90deg, ${low}, ${high})` }} />{" "}
      {counted(most, "word")}
    </p>
  );
}

function labelOf(store: Store, side: number, rank: number): string {
  const { grouping } = store.drawings[side];
  return grouping ? grouping.label(grouping.node[rank]) : store.runs[side].label(rank);
}

function ZoomButtons({ painter }: { painter: () => NetworkPainter | undefined }) {
  const zoom = (by: number) => (event: MouseEvent) => {
    event.stopPropagation();
    painter()?.zoomBy(by);
  };
  return (
    <div class="zoom">
      <button type="button" aria-label="Zoom in" title="Zoom in" onClick={zoom(1.4)}>
        +
      </button>
      <button type="button" aria-label="Zoom out" title="Zoom out" onClick={zoom(1 / 1.4)}>
        −
      </button>
      <button type="button" aria-label="Show all" title="Show all" onClick={zoom(0)}>
        <Icon name="all" />
      </button>
    </div>
  );
}

/// What draws on the two canvases: anew when the state changes, and in each frame while it moves.
class NetworkPainter {
  private m_zoom: Zoom = unzoomed;
  private m_scene: Scene | undefined;
  private m_movers: Mover[] = [];
  private readonly m_still: HTMLCanvasElement;
  private readonly m_moving: HTMLCanvasElement;
  private readonly m_behaviour: ZoomBehavior<HTMLDivElement, unknown>;
  private readonly m_stops: (() => void)[] = [];

  constructor(
    private readonly m_store: Store,
    private readonly m_side: number,
    private readonly m_box: HTMLDivElement,
  ) {
    [this.m_still, this.m_moving] = Array.from(m_box.querySelectorAll("canvas"));
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(m_box);
    this.m_behaviour = d3zoom<HTMLDivElement, unknown>()
      .scaleExtent([1, 30])
      .filter((event: Event) => this.mayZoom(event))
      .on("zoom", (event: { transform: Zoom }) => {
        this.m_zoom = event.transform;
        this.paint();
      });
    select(m_box).call(this.m_behaviour).on("dblclick.zoom", null);
    this.resize();
    this.m_stops.push(
      () => observer.disconnect(),
      effect(() => this.paint()),
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
    const box = select(this.m_box);
    if (by === 0) this.m_behaviour.transform(box, zoomIdentity);
    else this.m_behaviour.scaleBy(box, by);
  }

  /// A wheel scrolls the page unless a key is held; a finger moves the drawing once it is zoomed.
  private mayZoom(event: Event): boolean {
    if (event.type === "wheel") return (event as WheelEvent).ctrlKey || (event as WheelEvent).metaKey;
    if (event instanceof MouseEvent) return event.button === 0 && this.m_zoom.k > 1;
    return this.m_zoom.k > 1 || (event as TouchEvent).touches?.length > 1;
  }

  private resize(): void {
    const ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.m_still, this.m_moving]) {
      canvas.width = Math.round(this.m_box.clientWidth * ratio);
      canvas.height = Math.round(this.m_box.clientHeight * ratio);
      canvas.getContext("2d")!.setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    this.paint();
  }

  private get size() {
    return { width: this.m_box.clientWidth, height: this.m_box.clientHeight };
  }

  private paint(): void {
    const scene = sceneOf(this.m_store, this.m_side, this.size, this.m_zoom);
    this.m_scene = scene;
    this.m_movers = scene.heat ? [] : moversOf(scene);
    const context = this.m_still.getContext("2d")!;
    context.clearRect(0, 0, this.size.width, this.size.height);
    paintStill(new CanvasSurface(context), scene);
    this.paintMoving();
  }

  private paintMoving(): void {
    const context = this.m_moving.getContext("2d")!;
    context.clearRect(0, 0, this.size.width, this.size.height);
    const { share } = this.m_store.clock;
    if (!this.m_scene || share >= 1) return;
    paintMovers(new CanvasSurface(context), this.m_scene, this.m_movers, share);
  }
}
