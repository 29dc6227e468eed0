//! First rollouts of what people write: on nodes that are made up, over nothing. The right answers were written down before the program
//! was asked.

use super::{setscope, written};

const NODES: &str = "apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: '4', memory: 8Gi, pods: '110'}, conditions: [{type: Ready, status: 'True'}]}
";

fn workload(kind: &str, more: &str, pod: &str) -> String {
    format!(
        "apiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: web}}\nspec:\n  {more}\n  selector: {{matchLabels: {{app: web}}}}\n  \
         template:\n    metadata: {{labels: {{app: web}}}}\n    spec: {{{pod}}}\n"
    )
}

fn set(more: &str, pod: &str) -> String {
    workload("StatefulSet", &format!("serviceName: web\n  {more}"), pod)
}

const POD: &str = "containers: [{name: web, image: 'web:1'}]";

/// One file alone, with what is given beside it, ends with the status and says all of these.
#[track_caller]
fn says(name: &str, text: &str, more: &[&str], status: i32, parts: &[&str]) -> String {
    let (said, ended) = setscope(&[&["rollout", "-f", &written(name, text)], more].concat());
    assert_eq!(ended, status, "{said}");
    for part in parts {
        assert!(said.contains(part), "{part:?} is missing in\n{said}");
    }
    said
}

#[test]
fn one_file_alone_is_a_first_rollout() {
    let text = set("replicas: 3", POD);
    let parts = ["web-0 is created", "web-2 is Ready", "statefulset/web: done", "No workload is there before"];
    let said = says("first.yaml", &text, &[], 0, &parts);
    assert!(said.find("web-1 is created") > said.find("web-0 is Ready"), "in order: {said}");
    // So is one over a file that has only what stands around workloads, or nothing.
    let nodes = written("first-nodes.yaml", NODES);
    let empty = written("first-empty.yaml", "");
    for there in [&nodes, &empty] {
        let (said, status) = setscope(&["rollout", "-f", there, "-f", &written("first.yaml", &text)]);
        assert!(status == 0 && said.contains("web-2 is Ready") && said.contains("No workload is there"), "{said}");
    }
    // What is no manifest says nothing of what is there.
    for text in ["hello", "kind: [", "kind: web"] {
        let (said, status) = setscope(&["rollout", "-f", &written("first-none.yaml", text), "-f", &empty]);
        assert_eq!(status, 2, "{text}: {said}");
    }
    // What runs in a cluster is not applied to it.
    let (said, status) = setscope(&["rollout", "-f", &super::file("host-network.yaml")]);
    assert!(status == 2 && said.contains("give two files"), "{status} {said}");
}

#[test]
fn what_a_release_does_not_serve_is_refused() {
    let budget = |version: &str| {
        format!(
            "apiVersion: {version}\nkind: PodDisruptionBudget\nmetadata: {{name: web}}\nspec: {{minAvailable: 1, selector: {{matchLabels: {{app: web}}}}}}\n---\n{}",
            workload("Deployment", "replicas: 2", POD)
        )
    };
    let parts = [
        "The change is refused",
        r#"no matches for kind "PodDisruptionBudget" in version "policy/v1beta1""#,
        "v1.36 serves PodDisruptionBudget as policy/v1",
        "kubectl applies the other objects of the file all the same, which was not tried",
    ];
    says("old-budget.yaml", &budget("policy/v1beta1"), &["--release", "v1.36"], 1, &parts);
    says("old-budget.yaml", &budget("policy/v1beta1"), &["--release", "v1.24"], 0, &["deployment/web: done"]);
    says("budget.yaml", &budget("policy/v1"), &["--release", "v1.36"], 0, &["deployment/web: done"]);
    let said = says("budget.yaml", &budget("policy/v1"), &["--release", "v1.20"], 1, &["policy/v1beta1"]);
    assert!(!said.contains("done"), "{said}");
    // What is not simulated is sent all the same.
    let ingress = "apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: web}\n---\n";
    let text = ingress.to_owned() + &workload("Deployment", "replicas: 2", POD);
    says("old-ingress.yaml", &text, &[], 1, &["no matches", "networking.k8s.io/v1"]);
    // A line that is tried sends the same.
    let there = super::file("host-network.yaml");
    let line = format!("kubectl apply -f {}", written("old-budget.yaml", &budget("policy/v1beta1")));
    let (said, status) = setscope(&["ways-out", "-f", &there, "--try", &line]);
    assert!(status == 1 && said.contains("refused: ") && said.contains("policy/v1beta1"), "{status} {said}");
}

#[test]
fn what_cannot_be_opened_says_what_to_give() {
    let controller = "apiVersion: v1\nkind: ReplicationController\nmetadata: {name: es}\nspec: {replicas: 1}\n";
    says("controller.yaml", controller, &[], 2, &["ReplicationController es"]);
    let custom = "apiVersion: monitoring.coreos.com/v1\nkind: Prometheus\nmetadata: {name: k8s}\nspec: {replicas: 2}\n";
    says("custom.yaml", custom, &[], 2, &["Prometheus k8s", "kubectl get sts,deploy,ds,pods -o yaml"]);
    let template = "{{- if .Values.web }}\napiVersion: apps/v1\nkind: Deployment\n{{- end }}\n";
    says("template.yaml", template, &[], 2, &["helm template"]);
    let built = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [web.yaml]\n";
    says("kustomization.yaml", built, &[], 1, &["kubectl kustomize DIR"]);
    says("kustomization.yaml", "resources:\n- web.yaml\n", &[], 1, &["kubectl kustomize DIR"]);
}

#[test]
fn what_a_first_rollout_lacks_is_told() {
    let port = "containers: [{name: web, image: 'web:1', ports: [{containerPort: 80, hostPort: 80}]}]";
    let parts = ["web-3 has no node; the scheduler says: 0/3 nodes", "comes to its end with `--nodes 4`"];
    says("ports.yaml", &set("replicas: 4", port), &[], 1, &parts);
    says("ports.yaml", &set("replicas: 4", port), &["--nodes", "4"], 0, &["statefulset/web: done"]);
    let graphics = "containers: [{name: web, image: 'web:1', resources: {limits: {nvidia.com/gpu: 1}}}]";
    let graphics = workload("Deployment", "replicas: 1", graphics);
    says("graphics.yaml", &graphics, &[], 1, &["--nodes FILE", "More nodes like these (3) do not help"]);
    let said =
        says("graphics.yaml", &graphics, &["--nodes", &written("first-nodes.yaml", NODES)], 1, &["Insufficient"]);
    assert!(!said.contains("--nodes FILE"), "it was given: {said}");
    let claim = format!("{POD}, volumes: [{{name: data, persistentVolumeClaim: {{claimName: data}}}}]");
    let claim = workload("Deployment", "replicas: 1", &claim);
    let said = says("claims.yaml", &claim, &["-o", "json"], 1, &["kubectl get pvc data"]);
    let value: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(value["changes"][0]["toGive"].as_array().map(Vec::len), Some(1), "{said}");
}

#[test]
fn what_a_first_rollout_assumes_is_told_once() {
    let claims = "volumeClaimTemplates:\n  - {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}CLASS}}";
    let of = |class: &str| set(&format!("replicas: 1\n  {}", claims.replace("CLASS", class)), POD);
    says("fast.yaml", &of(", storageClassName: fast"), &[], 0, &["class \"fast\" makes volumes"]);
    says("default.yaml", &of(""), &[], 0, &["a default class makes volumes"]);
    let class = "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: fast}\nprovisioner: a\n---\n";
    for class_of in [", storageClassName: fast", ""] {
        let annotated = of(class_of).replace(
            "metadata: {name: data}",
            "metadata: {name: data, annotations: {volume.beta.kubernetes.io/storage-class: fast}}",
        );
        let said = says("made.yaml", &(class.to_owned() + &annotated), &[], 0, &["done"]);
        assert!(!said.contains("makes volumes"), "{said}");
    }
    let maps: Vec<String> = (0..7).map(|at| format!("{{configMapRef: {{name: c{at}}}}}")).collect();
    let pod = format!("containers: [{{name: web, image: 'web:1', envFrom: [{}]}}]", maps.join(", "));
    let text =
        workload("Deployment", "replicas: 1", &pod).replace("{name: web}\nspec", "{name: web, namespace: prod}\nspec");
    let parts = [
        "Namespace prod is there, since no file makes it",
        "ConfigMaps c0, c1, c2, c3, c4 and 2 more are there",
        "`kubectl get configmap -n prod`",
    ];
    says("maps.yaml", &text, &[], 0, &parts);
    let made = "apiVersion: v1\nkind: Namespace\nmetadata: {name: prod}\n---\n".to_owned() + &text;
    let said = says("made-maps.yaml", &made, &[], 0, &["done"]);
    assert!(!said.contains("Namespace prod is there"), "{said}");
}

#[test]
fn several_new_images_are_told_as_several() {
    let two = "containers: [{name: web, image: 'web:1'}, {name: side, image: 'side:1'}]";
    says("images.yaml", &set("replicas: 1", two), &[], 0, &["If the new images do not become ready"]);
    says("image.yaml", &set("replicas: 1", POD), &[], 0, &["If the new image does not become ready"]);
}
