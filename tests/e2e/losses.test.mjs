// Each kind of node failure with each way out, as one would do it on the page, and the clock times of what follows.
//
// A story is what is done, what the report that Share saves then tells from the failure on (with its clock, in its order,
// without the syncs that only wait), and what is drawn of node-b, of web-1 and of its claim at the end. The set is the
// page's own: three pods on node-a, node-b and node-c, a ReadWriteOnce claim each, settled at 14.2 s. node-b last renewed
// its Lease at 10 s, so its silence counts from there.
//
// SHOW_STORIES=1 prints what the page tells and draws.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { checkAccessibility, failNode, openSite, press, themes } from "./helpers.mjs";

const site = openSite();

// What is done. "Settle" runs until nothing is left to happen.
const settle = async (page) => {
  await page.locator(".stage").focus();
  await press(page, "End");
  await page.locator(".transport__play", { hasText: "Settled" }).waitFor();
};
const fail = (way, node = "node-b") => (page) => failNode(page, node, way);
const node = (label, name = "node-b") => (page) => page.getByRole("button", { name: `${label} (${name})`, exact: true }).click();
const at = (seconds) => async (page) => {
  await settle(page);
  await page.getByRole("slider", { name: "Moment" }).fill(String(seconds * 1000));
};
const forceDeleteInDialog = (pod) => async (page) => {
  await page.locator(`#pod-${pod}`).click();
  await page.getByRole("dialog", { name: `Pod ${pod}` }).getByRole("button", { name: "Force delete" }).click();
};
const release = (name) => (page) => page.locator("#release").selectOption(name);
const add = (count) => async (page) => {
  for (let added = 0; added < count; added += 1) await page.getByRole("button", { name: "Add a node" }).click();
};
const scaleUp = async (page) => {
  await page.getByRole("slider", { name: "replicas flag" }).focus();
  await press(page, "ArrowRight");
};
const edit = (from, to) => async (page) => {
  await page.getByRole("tab", { name: "Manifest" }).click();
  const manifest = await page.locator("#manifest").inputValue();
  assert.ok(manifest.includes(from), manifest);
  await page.locator("#manifest").fill(manifest.replace(from, to));
  await page.getByRole("button", { name: "Apply" }).click();
};
const tolerate = (seconds) => {
  const one = (key) => `{key: node.kubernetes.io/${key}, operator: Exists, effect: NoExecute, tolerationSeconds: ${seconds}}`;
  return edit("      containers:", `      tolerations: [${one("unreachable")}, ${one("not-ready")}]\n      containers:`);
};

const stories = [
  // The kubelet stops: its containers run on.
  {
    title: "a kubelet that stops, and nothing is done: web-1 stays Terminating",
    acts: [fail("Stop its kubelet")],
    tells: [
      "14.2 s `setscope fail node node-b kubelet`",
      "14.2 s node-b's kubelet stopped; its containers run on.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "6 m 05 s web-1 was marked for deletion because of its node.",
    ],
    draws: {
      pod: "Terminating node-b 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Kubelet stopped, its containers run on, since 14.2 s, for 5 m 50 s.",
        "web-1 stays Terminating: nobody confirms that it stopped.",
      ],
      ends: [
        "Nothing ends this wait by itself: web-1 was marked for deletion at 6 m 05 s and stays Terminating until node-b returns. Force delete frees the ordinal. If node-b is only cut off, its container runs on: two live web-1, both writing to www-web-1.",
      ],
    },
  },
  {
    title: "a kubelet that stops and is back before the eviction: nothing moves",
    acts: [fail("Stop its kubelet"), at(200), node("Bring it back")],
    tells: [
      "14.2 s `setscope fail node node-b kubelet`",
      "14.2 s node-b's kubelet stopped; its containers run on.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "3 m 20 s `setscope recover node node-b`",
      "3 m 20 s node-b's kubelet answers again.",
    ],
    draws: {
      pod: "Running node-b 1/1 1.27",
    },
  },
  {
    title: "a kubelet that stops and is back after it: it ends web-1, which is created again",
    acts: [fail("Stop its kubelet"), settle, node("Bring it back")],
    tells: [
      "14.2 s `setscope fail node node-b kubelet`",
      "14.2 s node-b's kubelet stopped; its containers run on.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "6 m 05 s web-1 was marked for deletion because of its node.",
      "6 m 05 s `setscope recover node node-b`",
      "6 m 05 s node-b's kubelet answers again.",
      "6 m 07 s The kubelet confirmed that web-1 has stopped.",
      "6 m 07 s The volume of www-web-1 was detached from node-b.",
      "6 m 07 s web-1 is missing; it is created.",
      "6 m 07 s The scheduler put web-1 on node-b.",
    ],
    draws: {
      pod: "Running node-b 1/1 1.27",
    },
  },
  {
    title: "a kubelet that stops, and the Node object is deleted: two web-1 live",
    acts: [fail("Stop its kubelet"), at(70), node("Remove")],
    tells: [
      "14.2 s `setscope fail node node-b kubelet`",
      "14.2 s node-b's kubelet stopped; its containers run on.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "1 m 10 s `kubectl delete node node-b`",
      "2 m 00 s web-1 was deleted: its node no longer exists or is out of service.",
      "2 m 00 s web-1's object is gone, but its containers on node-b run on.",
      "2 m 00 s web-1 is missing; it is created.",
      "2 m 00 s The scheduler put web-1 on node-a.",
      "2 m 00 s web-1 waits: its volume is attached to another node.",
      "8 m 00 s The volume of www-web-1 was taken from node-b.",
      "8 m 00 s Two live web-1: the new one was started while the old one runs on node-b.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
      nodes: ["node-b no Node object"],
      says: [
        "Its Node object was deleted; the machine is as it was.",
      ],
      ghosts: ["web-1 runs, unknown to the API"],
      warnings: [
        "Two live web-1: at-most-one is broken. One runs on node-a, one on node-b. Both have www-web-1 open. It ends when node-b returns: its kubelet then stops the one that the API no longer knows.",
      ],
      shared: ["www-web-1 two writers"],
    },
  },
  {
    title: "a kubelet whose Node object was deleted starts again: it ends the old web-1",
    acts: [fail("Stop its kubelet"), at(70), node("Remove"), settle, node("Start its kubelet")],
    tells: [
      "14.2 s `setscope fail node node-b kubelet`",
      "14.2 s node-b's kubelet stopped; its containers run on.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "1 m 10 s `kubectl delete node node-b`",
      "2 m 00 s web-1 was deleted: its node no longer exists or is out of service.",
      "2 m 00 s web-1's object is gone, but its containers on node-b run on.",
      "2 m 00 s web-1 is missing; it is created.",
      "2 m 00 s The scheduler put web-1 on node-a.",
      "2 m 00 s web-1 waits: its volume is attached to another node.",
      "8 m 00 s The volume of www-web-1 was taken from node-b.",
      "8 m 00 s Two live web-1: the new one was started while the old one runs on node-b.",
      "8 m 03 s `setscope recover node node-b`",
      "8 m 03 s node-b's kubelet answers again.",
      "8 m 05 s The kubelet of node-b stopped the web-1 that the API no longer has.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
    },
  },
  // The network is cut: kubelet and containers run on.
  {
    title: "a node cut off that heals before the eviction",
    acts: [fail("Cut its network"), at(200), node("Bring it back")],
    tells: [
      "14.2 s `setscope fail node node-b network`",
      "14.2 s node-b is cut off; its containers run on.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "3 m 20 s `setscope recover node node-b`",
      "3 m 20 s node-b's kubelet answers again.",
    ],
    draws: {
      pod: "Running node-b 1/1 1.27",
    },
  },
  {
    title: "a node cut off that heals after the eviction",
    acts: [fail("Cut its network"), settle, node("Bring it back")],
    tells: [
      "14.2 s `setscope fail node node-b network`",
      "14.2 s node-b is cut off; its containers run on.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "6 m 05 s web-1 was marked for deletion because of its node.",
      "6 m 05 s `setscope recover node node-b`",
      "6 m 05 s node-b's kubelet answers again.",
      "6 m 07 s The kubelet confirmed that web-1 has stopped.",
      "6 m 07 s The volume of www-web-1 was detached from node-b.",
      "6 m 07 s web-1 is missing; it is created.",
      "6 m 07 s The scheduler put web-1 on node-b.",
    ],
    draws: {
      pod: "Running node-b 1/1 1.27",
    },
  },
  {
    title: "a node cut off, on the way to the eviction: the time left is said",
    acts: [fail("Cut its network"), at(100)],
    stays: true,
    tells: [
      "14.2 s `setscope fail node node-b network`",
      "14.2 s node-b is cut off; its containers run on.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
    ],
    draws: {
      pod: "Running node-b 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Cut off from the API, its containers run on, since 14.2 s, for 1 m 25 s.",
        "web-1 will be marked for deletion in 4 m 25 s.",
      ],
      ends: [
        "node-b returns, or in 4 m 25 s web-1 is marked for deletion; then it is Terminating until node-b returns.",
      ],
    },
  },
  {
    title: "a node cut off, web-1 force deleted: until 12 m 00 s the new one waits for the volume",
    acts: [fail("Cut its network"), settle, node("Force delete web-1"), at(600)],
    stays: true,
    tells: [
      "14.2 s `setscope fail node node-b network`",
      "14.2 s node-b is cut off; its containers run on.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "6 m 05 s web-1 was marked for deletion because of its node.",
      "6 m 05 s `kubectl delete pod web-1 --grace-period=0 --force`",
      "6 m 05 s web-1's object is gone, but its containers on node-b run on.",
      "6 m 05 s web-1 is missing; it is created.",
      "6 m 05 s The scheduler put web-1 on node-a.",
      "6 m 05 s web-1 waits: its volume is attached to another node.",
    ],
    draws: {
      pod: "ContainerCreating node-a 0/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Cut off from the API, its containers run on, since 14.2 s, for 9 m 45 s.",
      ],
      ghosts: ["web-1 runs, unknown to the API"],
      ends: [
        "The volume of www-web-1 is attached to node-b and can be attached to one node at a time. Nobody there confirms that it is unmounted: in 2 m 6 s it is taken away by force, or at once with the out-of-service taint.",
      ],
    },
  },
  {
    title: "a node cut off, and web-1 force deleted: two live, with one claim",
    acts: [fail("Cut its network"), settle, node("Force delete web-1")],
    tells: [
      "14.2 s `setscope fail node node-b network`",
      "14.2 s node-b is cut off; its containers run on.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "6 m 05 s web-1 was marked for deletion because of its node.",
      "6 m 05 s `kubectl delete pod web-1 --grace-period=0 --force`",
      "6 m 05 s web-1's object is gone, but its containers on node-b run on.",
      "6 m 05 s web-1 is missing; it is created.",
      "6 m 05 s The scheduler put web-1 on node-a.",
      "6 m 05 s web-1 waits: its volume is attached to another node.",
      "12 m 05 s The volume of www-web-1 was taken from node-b.",
      "12 m 05 s Two live web-1: the new one was started while the old one runs on node-b.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Cut off from the API, its containers run on, since 14.2 s, for 11 m 54 s.",
      ],
      ghosts: ["web-1 runs, unknown to the API"],
      warnings: [
        "Two live web-1: at-most-one is broken. One runs on node-a, one on node-b. Both have www-web-1 open. It ends when node-b returns: its kubelet then stops the one that the API no longer knows.",
      ],
      shared: ["www-web-1 two writers"],
    },
  },
  {
    title: "a node cut off, web-1 force deleted, then healed: the old one is stopped",
    acts: [fail("Cut its network"), settle, node("Force delete web-1"), settle, node("Bring it back")],
    tells: [
      "14.2 s `setscope fail node node-b network`",
      "14.2 s node-b is cut off; its containers run on.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "6 m 05 s web-1 was marked for deletion because of its node.",
      "6 m 05 s `kubectl delete pod web-1 --grace-period=0 --force`",
      "6 m 05 s web-1's object is gone, but its containers on node-b run on.",
      "6 m 05 s web-1 is missing; it is created.",
      "6 m 05 s The scheduler put web-1 on node-a.",
      "6 m 05 s web-1 waits: its volume is attached to another node.",
      "12 m 05 s The volume of www-web-1 was taken from node-b.",
      "12 m 05 s Two live web-1: the new one was started while the old one runs on node-b.",
      "12 m 08 s `setscope recover node node-b`",
      "12 m 08 s node-b's kubelet answers again.",
      "12 m 10 s The kubelet of node-b stopped the web-1 that the API no longer has.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
    },
  },
  {
    title: "a node cut off and tainted out-of-service: two live at once",
    acts: [fail("Cut its network"), settle, node("Taint out-of-service")],
    tells: [
      "14.2 s `setscope fail node node-b network`",
      "14.2 s node-b is cut off; its containers run on.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "6 m 05 s web-1 was marked for deletion because of its node.",
      "6 m 05 s `kubectl taint nodes node-b node.kubernetes.io/out-of-service=nodeshutdown:NoExecute`",
      "6 m 20 s web-1 was deleted: its node no longer exists or is out of service.",
      "6 m 20 s web-1's object is gone, but its containers on node-b run on.",
      "6 m 20 s The volume of www-web-1 was taken from node-b.",
      "6 m 20 s web-1 is missing; it is created.",
      "6 m 20 s The scheduler put web-1 on node-a.",
      "6 m 20 s Two live web-1: the new one was started while the old one runs on node-b.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Cut off from the API, its containers run on, since 14.2 s, for 6 m 9 s.",
        "Tainted out-of-service: its terminating pods are removed by force, their volumes at once.",
      ],
      ghosts: ["web-1 runs, unknown to the API"],
      warnings: [
        "Two live web-1: at-most-one is broken. One runs on node-a, one on node-b. Both have www-web-1 open. It ends when node-b returns: its kubelet then stops the one that the API no longer knows.",
      ],
      shared: ["www-web-1 two writers"],
    },
  },
  {
    title: "a node cut off under a grace period of 0: the eviction itself is a force delete",
    acts: [edit("terminationGracePeriodSeconds: 10", "terminationGracePeriodSeconds: 0"), settle, fail("Cut its network")],
    tells: [
      "30.6 s `setscope fail node node-b network`",
      "30.6 s node-b is cut off; its containers run on.",
      "1 m 20 s node-b has been silent for too long: it is NotReady.",
      "6 m 25 s web-1 was marked for deletion because of its node.",
      "6 m 25 s web-1's object is gone, but its containers on node-b run on.",
      "6 m 25 s web-1 is missing; it is created.",
      "6 m 25 s The scheduler put web-1 on node-a.",
      "6 m 25 s web-1 waits: its volume is attached to another node.",
      "12 m 25 s The volume of www-web-1 was taken from node-b.",
      "12 m 25 s Two live web-1: the new one was started while the old one runs on node-b.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Cut off from the API, its containers run on, since 30.6 s, for 11 m 57 s.",
      ],
      ghosts: ["web-1 runs, unknown to the API"],
      warnings: [
        "Two live web-1: at-most-one is broken. One runs on node-a, one on node-b. Both have www-web-1 open. It ends when node-b returns: its kubelet then stops the one that the API no longer knows.",
      ],
      shared: ["www-web-1 two writers"],
    },
  },
  {
    title: "the same on the way: it is said that the eviction is a force delete",
    acts: [edit("terminationGracePeriodSeconds: 10", "terminationGracePeriodSeconds: 0"), settle, fail("Cut its network"), at(100)],
    stays: true,
    tells: [
      "30.6 s `setscope fail node node-b network`",
      "30.6 s node-b is cut off; its containers run on.",
      "1 m 20 s node-b has been silent for too long: it is NotReady.",
    ],
    draws: {
      pod: "Running node-b 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Cut off from the API, its containers run on, since 30.6 s, for 1 m 9 s.",
        "web-1 will be deleted in 4 m 45 s. Its grace period is 0, so the eviction is a force delete.",
      ],
      ends: [
        "node-b returns, or in 4 m 45 s web-1 is deleted at once, as its grace period is 0: an eviction that is a force delete. If node-b is only cut off, its container runs on: two live web-1, both writing to www-web-1.",
      ],
    },
  },
  {
    title: "a node cut off under a toleration of 30 s",
    acts: [tolerate(30), settle, fail("Cut its network")],
    tells: [
      "30.6 s `setscope fail node node-b network`",
      "30.6 s node-b is cut off; its containers run on.",
      "1 m 20 s node-b has been silent for too long: it is NotReady.",
      "1 m 55 s web-1 was marked for deletion because of its node.",
    ],
    draws: {
      pod: "Terminating node-b 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Cut off from the API, its containers run on, since 30.6 s, for 1 m 24 s.",
        "web-1 stays Terminating: nobody confirms that it stopped.",
      ],
      ends: [
        "Nothing ends this wait by itself: web-1 was marked for deletion at 1 m 55 s and stays Terminating until node-b returns. Force delete frees the ordinal. If node-b is only cut off, its container runs on: two live web-1, both writing to www-web-1.",
      ],
    },
  },
  // The power goes: nothing runs.
  {
    title: "power lost and back before the eviction: the containers start again",
    acts: [fail("Cut its power"), at(120), node("Bring it back")],
    tells: [
      "14.2 s `setscope fail node node-b power`",
      "14.2 s node-b lost power: nothing runs on it.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "2 m 00 s `setscope recover node node-b`",
      "2 m 00 s node-b's kubelet answers again.",
    ],
    draws: {
      pod: "Running node-b 1/1 1.27 1 restart",
    },
  },
  {
    title: "power lost and back after the eviction: web-1 is created again at once",
    acts: [fail("Cut its power"), settle, node("Bring it back")],
    tells: [
      "14.2 s `setscope fail node node-b power`",
      "14.2 s node-b lost power: nothing runs on it.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "6 m 05 s web-1 was marked for deletion because of its node.",
      "6 m 05 s `setscope recover node node-b`",
      "6 m 05 s node-b's kubelet answers again.",
      "6 m 05 s The kubelet confirmed that web-1 has stopped.",
      "6 m 05 s The volume of www-web-1 was detached from node-b.",
      "6 m 05 s web-1 is missing; it is created.",
      "6 m 05 s The scheduler put web-1 on node-b.",
    ],
    draws: {
      pod: "Running node-b 1/1 1.27",
    },
  },
  {
    title: "power lost and web-1 force deleted: safe, but its volume waits six minutes",
    acts: [fail("Cut its power"), settle, forceDeleteInDialog("web-1")],
    tells: [
      "14.2 s `setscope fail node node-b power`",
      "14.2 s node-b lost power: nothing runs on it.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "6 m 05 s web-1 was marked for deletion because of its node.",
      "6 m 05 s `kubectl delete pod web-1 --grace-period=0 --force`",
      "6 m 05 s web-1 is missing; it is created.",
      "6 m 05 s The scheduler put web-1 on node-a.",
      "6 m 05 s web-1 waits: its volume is attached to another node.",
      "12 m 05 s The volume of www-web-1 was taken from node-b.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Without power, nothing runs, since 14.2 s, for 11 m 54 s.",
        "Nothing of it runs on, so a pod that is freed here leaves no second copy.",
      ],
    },
  },
  {
    title: "power lost and the Node object deleted",
    acts: [fail("Cut its power"), at(105), node("Remove")],
    tells: [
      "14.2 s `setscope fail node node-b power`",
      "14.2 s node-b lost power: nothing runs on it.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "1 m 45 s `kubectl delete node node-b`",
      "2 m 40 s web-1 was deleted: its node no longer exists or is out of service.",
      "2 m 40 s web-1 is missing; it is created.",
      "2 m 40 s The scheduler put web-1 on node-a.",
      "2 m 40 s web-1 waits: its volume is attached to another node.",
      "8 m 40 s The volume of www-web-1 was taken from node-b.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
      nodes: ["node-b no Node object"],
      says: [
        "Its Node object was deleted; the machine is as it was.",
      ],
    },
  },
  {
    title: "power lost and tainted out-of-service after the eviction: pod and volume go with the collector's next look",
    acts: [fail("Cut its power"), settle, node("Taint out-of-service")],
    tells: [
      "14.2 s `setscope fail node node-b power`",
      "14.2 s node-b lost power: nothing runs on it.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "6 m 05 s web-1 was marked for deletion because of its node.",
      "6 m 05 s `kubectl taint nodes node-b node.kubernetes.io/out-of-service=nodeshutdown:NoExecute`",
      "6 m 20 s web-1 was deleted: its node no longer exists or is out of service.",
      "6 m 20 s The volume of www-web-1 was taken from node-b.",
      "6 m 20 s web-1 is missing; it is created.",
      "6 m 20 s The scheduler put web-1 on node-a.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Without power, nothing runs, since 14.2 s, for 6 m 9 s.",
        "Nothing of it runs on, so a pod that is freed here leaves no second copy.",
        "Tainted out-of-service: its terminating pods are removed by force, their volumes at once.",
      ],
    },
  },
  {
    title: "power lost and tainted out-of-service before the eviction: it evicts at once",
    acts: [fail("Cut its power"), at(100), node("Taint out-of-service")],
    tells: [
      "14.2 s `setscope fail node node-b power`",
      "14.2 s node-b lost power: nothing runs on it.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "1 m 40 s `kubectl taint nodes node-b node.kubernetes.io/out-of-service=nodeshutdown:NoExecute`",
      "1 m 40 s web-1 was marked for deletion because of its node.",
      "2 m 00 s web-1 was deleted: its node no longer exists or is out of service.",
      "2 m 00 s The volume of www-web-1 was taken from node-b.",
      "2 m 00 s web-1 is missing; it is created.",
      "2 m 00 s The scheduler put web-1 on node-a.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Without power, nothing runs, since 14.2 s, for 5 m 50 s.",
        "Nothing of it runs on, so a pod that is freed here leaves no second copy.",
        "Tainted out-of-service: its terminating pods are removed by force, their volumes at once.",
      ],
    },
  },
  {
    title: "power lost and tainted with the wrong effect: nothing before the eviction",
    acts: [fail("Cut its power"), at(100), node("Taint with NoSchedule")],
    tells: [
      "14.2 s `setscope fail node node-b power`",
      "14.2 s node-b lost power: nothing runs on it.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "1 m 40 s `kubectl taint nodes node-b node.kubernetes.io/out-of-service=nodeshutdown:NoSchedule`",
      "6 m 05 s web-1 was marked for deletion because of its node.",
      "6 m 20 s web-1 was deleted: its node no longer exists or is out of service.",
      "6 m 20 s The volume of www-web-1 was taken from node-b.",
      "6 m 20 s web-1 is missing; it is created.",
      "6 m 20 s The scheduler put web-1 on node-a.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Without power, nothing runs, since 14.2 s, for 6 m 9 s.",
        "Nothing of it runs on, so a pod that is freed here leaves no second copy.",
        "Tainted out-of-service with an effect that evicts nothing: only a pod that is Terminating already is removed.",
      ],
    },
  },
  {
    title: "a taint on a node that is Ready: its pods go with their grace",
    acts: [fail("Taint out-of-service")],
    tells: [
      "14.2 s `kubectl taint nodes node-b node.kubernetes.io/out-of-service=nodeshutdown:NoExecute`",
      "14.2 s web-1 was marked for deletion because of its node.",
      "16.2 s The kubelet confirmed that web-1 has stopped.",
      "16.2 s The volume of www-web-1 was detached from node-b.",
      "16.2 s web-1 is missing; it is created.",
      "16.3 s The scheduler put web-1 on node-a.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
      says: [
        "Tainted out-of-service although it is Ready: pods that do not tolerate it go, with their grace.",
      ],
    },
  },
  // The other ways to fail.
  {
    title: "a reboot within the grace",
    acts: [fail("Reboot it")],
    tells: [
      "14.2 s `setscope fail node node-b reboot`",
      "14.2 s node-b reboots.",
      "39.2 s node-b's kubelet answers again.",
    ],
    draws: {
      pod: "Running node-b 1/1 1.27 1 restart",
    },
  },
  {
    title: "a graceful shutdown",
    acts: [fail("Shut it down")],
    tells: [
      "14.2 s `setscope fail node node-b shutdown`",
      "14.2 s node-b shuts down and ends its pods.",
      "16.2 s web-1 has failed; it is deleted, to be created again.",
      "16.3 s web-1 is missing; it is created.",
      "16.4 s The scheduler put web-1 on node-a.",
      "16.4 s web-1 waits: its volume is attached to another node.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "6 m 16 s The volume of www-web-1 was taken from node-b.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Shut down since 14.2 s, for 6 m 5 s.",
        "Nothing of it runs on, so a pod that is freed here leaves no second copy.",
      ],
    },
  },
  {
    title: "a graceful shutdown, and the node is back",
    acts: [fail("Shut it down"), at(120), node("Bring it back")],
    tells: [
      "14.2 s `setscope fail node node-b shutdown`",
      "14.2 s node-b shuts down and ends its pods.",
      "16.2 s web-1 has failed; it is deleted, to be created again.",
      "16.3 s web-1 is missing; it is created.",
      "16.4 s The scheduler put web-1 on node-a.",
      "16.4 s web-1 waits: its volume is attached to another node.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "2 m 00 s `setscope recover node node-b`",
      "2 m 00 s node-b's kubelet answers again.",
      "2 m 00 s The volume of www-web-1 was detached from node-b.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
    },
  },
  {
    title: "a runtime that is down, and back before the eviction",
    acts: [fail("Break its runtime"), at(100), node("Bring it back")],
    tells: [
      "14.2 s `setscope fail node node-b runtime`",
      "14.2 s node-b's kubelet reports that it is not ready; its containers run on.",
      "1 m 40 s `setscope recover node node-b`",
      "1 m 40 s node-b's kubelet answers again.",
    ],
    draws: {
      pod: "Running node-b 1/1 1.27",
    },
  },
  {
    title: "a runtime that is down, and back after it",
    acts: [fail("Break its runtime"), settle, node("Bring it back")],
    tells: [
      "14.2 s `setscope fail node node-b runtime`",
      "14.2 s node-b's kubelet reports that it is not ready; its containers run on.",
      "5 m 15 s web-1 was marked for deletion because of its node.",
      "5 m 15 s `setscope recover node node-b`",
      "5 m 15 s node-b's kubelet answers again.",
      "5 m 17 s The kubelet confirmed that web-1 has stopped.",
      "5 m 17 s The volume of www-web-1 was detached from node-b.",
      "5 m 17 s web-1 is missing; it is created.",
      "5 m 17 s The scheduler put web-1 on node-b.",
    ],
    draws: {
      pod: "Running node-b 1/1 1.27",
    },
  },
  {
    title: "a zone without power, and back",
    acts: [add(3), scaleUp, settle, fail("Cut the power of zone-a", "node-a"), settle, node("Bring zone-a back", "node-d")],
    tells: [
      "19.0 s `setscope fail zone zone-a power`",
      "19.0 s node-a lost power: nothing runs on it.",
      "19.0 s node-d lost power: nothing runs on it.",
      "1 m 00 s node-a has been silent for too long: it is NotReady.",
      "1 m 05 s node-d has been silent for too long: it is NotReady.",
      "6 m 05 s web-0 was marked for deletion because of its node.",
      "6 m 15 s web-3 was marked for deletion because of its node.",
      "6 m 15 s `setscope recover zone zone-a`",
      "6 m 15 s node-a's kubelet answers again.",
      "6 m 15 s node-d's kubelet answers again.",
      "6 m 15 s The kubelet confirmed that web-0 has stopped.",
      "6 m 15 s The volume of www-web-0 was detached from node-a.",
      "6 m 15 s The kubelet confirmed that web-3 has stopped.",
      "6 m 15 s The volume of www-web-3 was detached from node-d.",
      "6 m 15 s web-0 is missing; it is created.",
      "6 m 15 s The scheduler put web-0 on node-a.",
      "6 m 18 s web-3 is missing; it is created.",
      "6 m 18 s The scheduler put web-3 on node-d.",
    ],
    draws: {
      pod: "Running node-b 1/1 1.27",
    },
  },
  {
    title: "every node lost: nobody is evicted",
    acts: [fail("Cut its power", "node-a"), fail("Cut its power"), fail("Cut its power", "node-c")],
    tells: [
      "14.2 s `setscope fail node node-a power`",
      "14.2 s `setscope fail node node-b power`",
      "14.2 s `setscope fail node node-c power`",
      "14.2 s node-a lost power: nothing runs on it.",
      "14.2 s node-b lost power: nothing runs on it.",
      "14.2 s node-c lost power: nothing runs on it.",
      "1 m 00 s node-a has been silent for too long: it is NotReady.",
      "1 m 00 s node-b has been silent for too long: it is NotReady.",
      "1 m 00 s node-c has been silent for too long: it is NotReady.",
    ],
    draws: {
      pod: "Running node-b 1/1 1.27",
      nodes: [
        "node-a NotReady",
        "node-b NotReady",
        "node-c NotReady",
      ],
      says: [
        "Without power, nothing runs, since 14.2 s, for 45 s.",
        "web-0 is not evicted: too many nodes are NotReady.",
        "Nothing of it runs on, so a pod that is freed here leaves no second copy.",
        "Without power, nothing runs, since 14.2 s, for 45 s.",
        "web-1 is not evicted: too many nodes are NotReady.",
        "Nothing of it runs on, so a pod that is freed here leaves no second copy.",
        "Without power, nothing runs, since 14.2 s, for 45 s.",
        "web-2 is not evicted: too many nodes are NotReady.",
        "Nothing of it runs on, so a pod that is freed here leaves no second copy.",
      ],
      ends: [
        "Nothing ends this wait by itself: too many nodes are NotReady, so web-0 is not evicted. Force delete frees the ordinal. Nothing runs on node-a: no second web-0 while it is off. Were it only cut off, two would live, both writing to www-web-0.",
      ],
    },
  },
  // The releases.
  {
    title: "under v1.20: NotReady after 40 s",
    acts: [release("v1.20"), settle, fail("Cut its power")],
    tells: [
      "14.2 s `setscope fail node node-b power`",
      "14.2 s node-b lost power: nothing runs on it.",
      "50.0 s node-b has been silent for too long: it is NotReady.",
      "5 m 55 s web-1 was marked for deletion because of its node.",
    ],
    draws: {
      pod: "Terminating node-b 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Without power, nothing runs, since 14.2 s, for 5 m 40 s.",
        "web-1 stays Terminating: nobody confirms that it stopped.",
        "Nothing of it runs on, so a pod that is freed here leaves no second copy.",
      ],
      ends: [
        "Nothing ends this wait by itself: web-1 was marked for deletion at 5 m 55 s and stays Terminating until node-b returns. Force delete frees the ordinal. Nothing runs on node-b: no second web-1 while it is off. Were it only cut off, two would live, both writing to www-web-1.",
      ],
    },
  },
  {
    title: "under v1.28: tainted out-of-service",
    acts: [release("v1.28"), settle, fail("Cut its power"), settle, node("Taint out-of-service")],
    tells: [
      "14.2 s `setscope fail node node-b power`",
      "14.2 s node-b lost power: nothing runs on it.",
      "50.0 s node-b has been silent for too long: it is NotReady.",
      "5 m 55 s web-1 was marked for deletion because of its node.",
      "5 m 55 s `kubectl taint nodes node-b node.kubernetes.io/out-of-service=nodeshutdown:NoExecute`",
      "6 m 00 s web-1 was deleted: its node no longer exists or is out of service.",
      "6 m 00 s The volume of www-web-1 was taken from node-b.",
      "6 m 00 s web-1 is missing; it is created.",
      "6 m 00 s The scheduler put web-1 on node-a.",
    ],
    draws: {
      pod: "Running node-a 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Without power, nothing runs, since 14.2 s, for 5 m 49 s.",
        "Nothing of it runs on, so a pod that is freed here leaves no second copy.",
        "Tainted out-of-service: its terminating pods are removed by force, their volumes at once.",
      ],
    },
  },
  {
    title: "under v1.9: five minutes after the last Lease, and shown as Unknown",
    acts: [release("v1.9"), settle, fail("Stop its kubelet")],
    tells: [
      "14.2 s `setscope fail node node-b kubelet`",
      "14.2 s node-b's kubelet stopped; its containers run on.",
      "50.0 s node-b has been silent for too long: it is NotReady.",
      "5 m 10 s web-1 was marked for deletion because of its node.",
    ],
    draws: {
      pod: "Unknown node-b 1/1 1.27",
      nodes: ["node-b NotReady"],
      says: [
        "Kubelet stopped, its containers run on, since 14.2 s, for 4 m 55 s.",
        "web-1 stays Unknown: nobody confirms that it stopped.",
      ],
      ends: [
        "Nothing ends this wait by itself: web-1 was marked for deletion at 5 m 10 s and stays Unknown until node-b returns. Force delete frees the ordinal. If node-b is only cut off, its container runs on: two live web-1, both writing to www-web-1.",
      ],
    },
  },
  {
    title: "under v1.9: the node is back",
    acts: [release("v1.9"), settle, fail("Stop its kubelet"), settle, node("Bring it back")],
    tells: [
      "14.2 s `setscope fail node node-b kubelet`",
      "14.2 s node-b's kubelet stopped; its containers run on.",
      "50.0 s node-b has been silent for too long: it is NotReady.",
      "5 m 10 s web-1 was marked for deletion because of its node.",
      "5 m 10 s `setscope recover node node-b`",
      "5 m 10 s node-b's kubelet answers again.",
      "5 m 12 s The kubelet confirmed that web-1 has stopped.",
      "5 m 12 s The volume of www-web-1 was detached from node-b.",
      "5 m 12 s web-1 is missing; it is created.",
      "5 m 12 s The scheduler put web-1 on node-b.",
    ],
    draws: {
      pod: "Running node-b 1/1 1.27",
    },
  },
];

async function told(page) {
  await page.getByRole("button", { name: "Share" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Report" }).click()]);
  const report = readFileSync(await download.path(), "utf8");
  await press(page, "Escape");
  const lines = report.split("\n").filter((line) => line.startsWith("- **")).map((line) => line.replace(/^- \*\*(.*)\*\*/, "$1"));
  const start = lines.findIndex((line) => /setscope fail|kubectl taint/.test(line));
  return lines.slice(start).filter((line) => !line.endsWith("OrderedReady waits until it is.") && !line.endsWith("OrderedReady waits until it is gone."));
}

const drawn = (page) =>
  page.evaluate(() => {
    const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.innerText.replace(/\s+/g, " ").trim());
    return {
      pod: texts("#pod-web-1")[0]?.replace(/^.*web-1 /, ""),
      nodes: texts(".node__head").filter((head) => !head.endsWith(" Ready")),
      says: texts(".node__condition"),
      ghosts: texts(".node__pod--ghost"),
      warnings: texts(".warning"),
      shared: texts(".place__claim--shared"),
      ends: texts(".stands").filter((text) => !text.startsWith("Settled")).map((text) => text.replace(/^.*What ends it: /, "")),
    };
  });

const nothing = { nodes: [], says: [], ghosts: [], warnings: [], shared: [], ends: [] };

const tell = (story) =>
  test(story.title, async () => {
    const visit = await site.visit();
    const { page } = visit;
    await settle(page);
    for (const act of story.acts) await act(page);
    if (!story.stays) await settle(page);
    const seen = { tells: await told(page), draws: await drawn(page) };
    if (process.env.SHOW_STORIES) console.log(JSON.stringify({ title: story.title, ...seen }));
    else assert.deepEqual(seen, { tells: story.tells, draws: { ...nothing, ...story.draws } });
    await visit.end();
  });

describe("node losses", { concurrency: 2 }, () => stories.forEach(tell));

for (const theme of themes) {
  test(`axe-core finds nothing on a lost node, a wait for a volume and two writers in ${theme}`, async () => {
    const visit = await site.visit({ theme });
    const { page } = visit;
    await settle(page);
    await fail("Cut its network")(page);
    await settle(page);
    await checkAccessibility(page);
    await node("Force delete web-1")(page);
    await settle(page);
    await checkAccessibility(page);
    await visit.end();
  });
}

test("a release without the out-of-service taint offers none, and the way out says what it risks", async () => {
  const visit = await site.visit();
  const { page } = visit;
  await release("v1.20")(page);
  await settle(page);
  await fail("Cut its power")(page);
  await settle(page);
  const ways = await page.locator(".node--out .node__way").evaluateAll((all) => all.map((way) => way.innerText.replace(/\s+/g, " ")));
  assert.deepEqual(ways, [
    "Bring it back Its kubelet finds nothing left to end and confirms it at once. No risk.",
    "Force delete web-1 kubectl delete pod web-1 --grace-period=0 --force At once. Nothing runs on node-b: no second web-1 while it is off. Were it only cut off, two would live, both writing to www-web-1. Its volume stays attached here for 6 m more.",
    "Remove kubectl delete node node-b Its pods are removed by force at 6 m 40 s: a look of the garbage collector, every 20 s, and 40 s of quarantine. It is off: no second copy.",
    "Cordon kubectl cordon node-b",
    "Drain kubectl drain node-b --ignore-daemonsets --delete-emptydir-data",
  ]);
  await visit.end();
});
