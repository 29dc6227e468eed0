/** SetScope's simulator for JavaScript. Moments are in seconds of the simulated clock. */

/** Loads the program, or takes the bytes of setscope-page_bg.wasm; once is enough, and everything else needs it. */
export default function init(bytes?: BufferSource): Promise<void>;

/** A run of a simulated cluster. What is refused throws an Error in kubectl's or the API server's words. */
export class Playground {
  /** A run of a manifest of a StatefulSet, or of a scenario, which starts with `setscope: 1`. */
  constructor(text: string);
  /** `kubectl apply -f -`. */
  apply(manifest: string): void;
  /** A line that does something, such as `kubectl delete pod web-1` or `setscope fail node node-b power`. */
  command(line: string): void;
  /** What lines would lead to, one below the other, as `setscope ways-out --try` prints it. The run stays as it is. */
  rehearse(lines: string): string;
  /** Takes one event. False if nothing is due. */
  step(): boolean;
  /** Goes to a moment, in the past or further than the run has come; at most a week. A command in the past starts a branch. */
  seek(seconds: number): void;
  /** The moment as it is now: a copy. */
  state(): State;
  /** What the controller decided, sync by sync, up to now; from the sync of this number on. */
  decisions(from?: number): Sync[];
  /** The run as YAML, as the page's Share saves it. */
  scenario(): string;
  /** Calls back with the new state after each change; the function returned ends that. */
  subscribe(listener: (state: State) => void): () => void;
  /** Gives the run's memory back; it cannot be used after that. */
  free(): void;
}

/** A moment. */
export interface State {
  /** The Kubernetes release whose controller runs, such as `v1.34`. */
  release: string;
  seconds: number;
  /** Events and commands before this moment, and known in all. */
  moves: number;
  knownMoves: number;
  /** Nothing is due any more. */
  settled: boolean;
  explanation: Explanation;
  /** Promises that are broken now, a sentence each. */
  warnings: string[];
  /** Objects in the API's own JSON form; most without kind and apiVersion, as in a List. */
  statefulSets: KubernetesObject[];
  pods: KubernetesObject[];
  nodes: KubernetesObject[];
  controllerRevisions: ControllerRevision[];
}

/** Where the controller stands. */
export interface Explanation {
  /** Such as `web-1 is starting, and web-2 waits for it`. */
  headline: string;
  reason: string;
  /** What ends the wait; empty if there is nothing to say. */
  resolution: string;
  severity: "settled" | "waiting" | "stuck";
}

export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  metadata: Metadata;
  spec: Record<string, unknown>;
  status: Record<string, unknown>;
}

export interface ControllerRevision {
  metadata: Metadata;
  revision: number;
}

export interface Metadata {
  name: string;
  namespace?: string;
  uid?: string;
  labels?: Record<string, string>;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  [field: string]: unknown;
}

/** One look of the controller at the set. */
export interface Sync {
  /** Counts from 1. */
  number: number;
  seconds: number;
  /** The set's name. */
  set: string;
  /** In the order of the real code. */
  decisions: Decision[];
  writes: Write[];
  /** What the sync returned, if it failed. */
  error: string | null;
}

export interface Decision {
  /** The part of the sync, such as `Scan replicas in order`. */
  stage: string;
  ordinal: number | null;
  sentence: string;
  /** The upstream function it models, and its file in the Kubernetes repository. */
  function: string;
  file: string;
}

export interface Write {
  verb: "create" | "update" | "updateStatus" | "patch" | "delete";
  /** Such as `pods`. */
  resource: string;
  name: string;
  /** The API server's words, if it refused. */
  refused: string | null;
}
