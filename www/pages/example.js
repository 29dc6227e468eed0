import init, { Playground } from "./setscope.js";

const MANIFEST = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  serviceName: web
  replicas: 3
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
        - {name: app, image: "app:1"}
`;
const byId = (id) => document.getElementById(id);
const MOST = 2000;

await init();
const run = new Playground(MANIFEST);

function show(state) {
  byId("title").textContent = `${state.seconds.toFixed(1)} s: ${state.explanation.headline}`;
  byId("because").textContent = `${state.explanation.reason} ${state.explanation.resolution}`;
  const row = ({ metadata, spec, status }) => `${metadata.name}  ${status.phase}  ${spec.nodeName ?? ""}`;
  byId("pods").textContent = state.pods.map(row).join("\n") || "no pods yet";
  const [sync] = run.decisions().slice(-1);
  const items = (sync?.decisions ?? []).map((decision) => {
    const item = document.createElement("li");
    item.textContent = `${decision.sentence} (${decision.function})`;
    return item;
  });
  byId("decisions").replaceChildren(...items);
}

function act(what) {
  byId("problem").textContent = "";
  try {
    what();
  } catch (error) {
    byId("problem").textContent = error.message;
  }
}

run.subscribe(show);
run.seek(10);
byId("step").onclick = () => act(() => run.step());
byId("back").onclick = () => act(() => run.seek(10));
byId("run").onclick = () =>
  act(() => {
    for (let taken = 0; taken < MOST && run.step(); taken += 1);
  });
byId("line").onsubmit = (event) => {
  event.preventDefault();
  act(() => run.command(byId("command").value));
};
document.documentElement.dataset.app = "ready";
