// Types of <trace-loupe>.

/** Counts of a trace: see docs/messages.md. */
export interface TraceCounts {
  loading: boolean;
  format: string | null;
  runs: number;
  events: number;
  llm_calls: number;
  tool_calls: number;
  errors: number;
  warnings: number;
  findings: { rule: string; severity: 'info' | 'warning' | 'critical'; run: number; first: number; last: number; repetitions: number }[];
}

export interface TraceLoupeEventMap {
  /** The trace has been read. */
  ready: CustomEvent<TraceCounts>;
  /** The reader has selected an event. `sel` can be given to the attribute of the same name. */
  select: CustomEvent<{ sel: string; kind: string }>;
  /** The trace could not be fetched or read. */
  error: CustomEvent<{ code: string; message: string }>;
}

/**
 * Attributes: `src`, `height` (pixels, a CSS length, or `auto`), `theme` (`light`, `dark`, `system`), `view`, `sel`,
 * `filter`, `query`, `run`, `poster` (an image, or empty: load on click), `viewer` (another copy of the viewer).
 */
export class TraceLoupe extends HTMLElement {
  /** Shows a trace that is already there. Resolves to its counts; rejects if it cannot be read. */
  load(trace: Blob | ArrayBuffer | string, fileName?: string): Promise<TraceCounts>;
  addEventListener<K extends keyof TraceLoupeEventMap>(type: K, listener: (event: TraceLoupeEventMap[K]) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'trace-loupe': TraceLoupe;
  }
}
