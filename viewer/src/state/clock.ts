/// What moves the messages of a step: a share from 0 to 1 of their way, drawn frame by frame.
export class Clock {
  share = 1;
  private m_frame = 0;
  private m_last = 0;
  private m_milliseconds = 700;
  private m_ended: () => void = () => {};
  private readonly m_listeners = new Set<(share: number) => void>();

  /// Is called in each frame in which something moves.
  onFrame(listener: (share: number) => void): () => void {
    this.m_listeners.add(listener);
    return () => this.m_listeners.delete(listener);
  }

  /// Starts a step's movement; `ended` is called once after it.
  start(milliseconds: number, ended: () => void): void {
    this.share = 0;
    this.m_milliseconds = milliseconds;
    this.m_ended = ended;
    this.m_last = performance.now();
    cancelAnimationFrame(this.m_frame);
    this.m_frame = requestAnimationFrame((now) => this.tick(now));
  }

  /// Ends a movement at once: the messages have arrived.
  finish(): void {
    cancelAnimationFrame(this.m_frame);
    this.m_frame = 0;
    this.share = 1;
    this.m_ended = () => {};
    this.tell();
  }

  get moves(): boolean {
    return this.m_frame !== 0;
  }

  private tick(now: number): void {
    this.share = Math.min(1, this.share + Math.max(0, now - this.m_last) / this.m_milliseconds);
    this.m_last = now;
    this.tell();
    if (this.share < 1) {
      this.m_frame = requestAnimationFrame((next) => this.tick(next));
      return;
    }
    this.m_frame = 0;
    const ended = this.m_ended;
    this.m_ended = () => {};
    ended();
  }

  private tell(): void {
    for (const listener of this.m_listeners) listener(this.share);
  }
}
