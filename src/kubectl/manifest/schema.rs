//! The fields of a StatefulSet, down to the last corner of a pod's spec, as one small text.
//!
//! A line is a type: its name, then its fields, each with its type. `s` text, `i` int32, `l` int64, `b` bool, `q`
//! quantity, `x` int or text, `t` time, `a` anything; `[T]` a list, `{T}` a map; a capital starts the name of another line.
//! Fields that share a type share one entry: `a,b:T`; `a@22:T` is there since 1.22, as far as the set itself goes: of a
//! pod's spec the newest fields are taken. From the API reference of apps/v1 and core/v1.

const SCHEMA: &str = "\
StatefulSet apiVersion,kind:s metadata:ObjectMeta spec:StatefulSetSpec status:a
ObjectMeta name,generateName,namespace,selfLink,uid,resourceVersion,clusterName:s generation,deletionGracePeriodSeconds:l creationTimestamp,deletionTimestamp:t labels,annotations:{s} ownerReferences:[OwnerReference] finalizers:[s] managedFields:a
OwnerReference apiVersion,kind,name,uid:s controller,blockOwnerDeletion:b
StatefulSetSpec replicas,revisionHistoryLimit:i minReadySeconds@22:i selector:LabelSelector template:PodTemplateSpec volumeClaimTemplates:[PersistentVolumeClaim] serviceName,podManagementPolicy:s updateStrategy:StatefulSetUpdateStrategy persistentVolumeClaimRetentionPolicy@23:StatefulSetPersistentVolumeClaimRetentionPolicy ordinals@26:StatefulSetOrdinals
StatefulSetUpdateStrategy type:s rollingUpdate:RollingUpdateStatefulSetStrategy
RollingUpdateStatefulSetStrategy partition:i maxUnavailable@24:x
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted,whenScaled:s
StatefulSetOrdinals start:i
LabelSelector matchLabels:{s} matchExpressions:[LabelSelectorRequirement]
LabelSelectorRequirement key,operator:s values:[s]
PersistentVolumeClaim apiVersion,kind:s metadata:ObjectMeta spec:PersistentVolumeClaimSpec status:a
PersistentVolumeClaimSpec accessModes:[s] selector:LabelSelector resources:ResourceRequirements volumeName,storageClassName,volumeMode,volumeAttributesClassName:s dataSource,dataSourceRef:TypedObjectReference
TypedObjectReference apiGroup,kind,name,namespace:s
PodTemplateSpec metadata:ObjectMeta spec:PodSpec
PodSpec volumes:[Volume] initContainers,containers,ephemeralContainers:[Container] restartPolicy,dnsPolicy,serviceAccountName,serviceAccount,nodeName,hostname,subdomain,schedulerName,priorityClassName,runtimeClassName,preemptionPolicy,hostnameOverride:s terminationGracePeriodSeconds,activeDeadlineSeconds:l nodeSelector:{s} automountServiceAccountToken,hostNetwork,hostPID,hostIPC,shareProcessNamespace,enableServiceLinks,setHostnameAsFQDN,hostUsers:b securityContext:PodSecurityContext imagePullSecrets:[LocalObjectReference] affinity:Affinity tolerations:[Toleration] hostAliases:[HostAlias] priority:i dnsConfig:PodDNSConfig readinessGates:[PodReadinessGate] overhead:{q} topologySpreadConstraints:[TopologySpreadConstraint] os:PodOS schedulingGates:[PodSchedulingGate] resourceClaims:[PodResourceClaim] resources:ResourceRequirements
PodOS name:s
PodSchedulingGate name:s
PodReadinessGate conditionType:s
PodResourceClaim name,resourceClaimName,resourceClaimTemplateName:s source:a
LocalObjectReference name:s
HostAlias ip:s hostnames:[s]
PodDNSConfig nameservers,searches:[s] options:[PodDNSConfigOption]
PodDNSConfigOption name,value:s
Toleration key,operator,value,effect:s tolerationSeconds:l
TopologySpreadConstraint maxSkew,minDomains:i topologyKey,whenUnsatisfiable,nodeAffinityPolicy,nodeTaintsPolicy:s labelSelector:LabelSelector matchLabelKeys:[s]
Affinity nodeAffinity:NodeAffinity podAffinity,podAntiAffinity:PodAffinity
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution:NodeSelector preferredDuringSchedulingIgnoredDuringExecution:[PreferredSchedulingTerm]
NodeSelector nodeSelectorTerms:[NodeSelectorTerm]
NodeSelectorTerm matchExpressions,matchFields:[NodeSelectorRequirement]
NodeSelectorRequirement key,operator:s values:[s]
PreferredSchedulingTerm weight:i preference:NodeSelectorTerm
PodAffinity requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm] preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm]
PodAffinityTerm labelSelector,namespaceSelector:LabelSelector namespaces,matchLabelKeys,mismatchLabelKeys:[s] topologyKey:s
WeightedPodAffinityTerm weight:i podAffinityTerm:PodAffinityTerm
PodSecurityContext seLinuxOptions:SELinuxOptions windowsOptions:WindowsSecurityContextOptions runAsUser,runAsGroup,fsGroup:l runAsNonRoot:b supplementalGroups:[l] supplementalGroupsPolicy,fsGroupChangePolicy,seLinuxChangePolicy:s sysctls:[Sysctl] seccompProfile:SeccompProfile appArmorProfile:SeccompProfile
SELinuxOptions user,role,type,level:s
WindowsSecurityContextOptions gmsaCredentialSpecName,gmsaCredentialSpec,runAsUserName:s hostProcess:b
Sysctl name,value:s
SeccompProfile type,localhostProfile:s
Container name,image,workingDir,terminationMessagePath,terminationMessagePolicy,imagePullPolicy,restartPolicy,targetContainerName:s command,args:[s] ports:[ContainerPort] envFrom:[EnvFromSource] env:[EnvVar] resources:ResourceRequirements resizePolicy,restartPolicyRules:a volumeMounts:[VolumeMount] volumeDevices:[VolumeDevice] livenessProbe,readinessProbe,startupProbe:Probe lifecycle:Lifecycle securityContext:SecurityContext stdin,stdinOnce,tty:b
ContainerPort name,protocol,hostIP:s hostPort,containerPort:i
EnvFromSource prefix:s configMapRef,secretRef:SecretEnvSource
SecretEnvSource name:s optional:b
EnvVar name,value:s valueFrom:EnvVarSource
EnvVarSource fieldRef:ObjectFieldSelector resourceFieldRef:ResourceFieldSelector configMapKeyRef,secretKeyRef:SecretKeySelector fileKeyRef:a
ObjectFieldSelector apiVersion,fieldPath:s
ResourceFieldSelector containerName,resource:s divisor:q
SecretKeySelector name,key:s optional:b
ResourceRequirements limits,requests:{q} claims:[ResourceClaim]
ResourceClaim name,request:s
VolumeMount name,mountPath,subPath,subPathExpr,mountPropagation,recursiveReadOnly:s readOnly:b
VolumeDevice name,devicePath:s
Probe exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction grpc:GRPCAction initialDelaySeconds,timeoutSeconds,periodSeconds,successThreshold,failureThreshold:i terminationGracePeriodSeconds:l
ExecAction command:[s]
HTTPGetAction path,host,scheme:s port:x httpHeaders:[HTTPHeader]
HTTPHeader name,value:s
TCPSocketAction port:x host:s
GRPCAction port:i service:s
SleepAction seconds:l
Lifecycle postStart,preStop:LifecycleHandler stopSignal:s
LifecycleHandler exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction sleep:SleepAction
SecurityContext capabilities:Capabilities privileged,runAsNonRoot,readOnlyRootFilesystem,allowPrivilegeEscalation:b seLinuxOptions:SELinuxOptions windowsOptions:WindowsSecurityContextOptions runAsUser,runAsGroup:l procMount:s seccompProfile,appArmorProfile:SeccompProfile
Capabilities add,drop:[s]
Volume name:s hostPath:HostPathVolumeSource emptyDir:EmptyDirVolumeSource gcePersistentDisk,awsElasticBlockStore,gitRepo,iscsi,glusterfs,rbd,flexVolume,cinder,cephfs,flocker,fc,azureFile,vsphereVolume,quobyte,azureDisk,photonPersistentDisk,portworxVolume,scaleIO,storageos,image:a secret:SecretVolumeSource nfs:NFSVolumeSource persistentVolumeClaim:PersistentVolumeClaimVolumeSource downwardAPI:DownwardAPIVolumeSource configMap:ConfigMapVolumeSource projected:ProjectedVolumeSource csi:CSIVolumeSource ephemeral:EphemeralVolumeSource
HostPathVolumeSource path,type:s
EmptyDirVolumeSource medium:s sizeLimit:q
SecretVolumeSource secretName:s items:[KeyToPath] defaultMode:i optional:b
KeyToPath key,path:s mode:i
NFSVolumeSource server,path:s readOnly:b
PersistentVolumeClaimVolumeSource claimName:s readOnly:b
DownwardAPIVolumeSource items:[DownwardAPIVolumeFile] defaultMode:i
DownwardAPIVolumeFile path:s fieldRef:ObjectFieldSelector resourceFieldRef:ResourceFieldSelector mode:i
ConfigMapVolumeSource name:s items:[KeyToPath] defaultMode:i optional:b
ProjectedVolumeSource sources:[VolumeProjection] defaultMode:i
VolumeProjection secret,configMap:ConfigMapProjection downwardAPI:DownwardAPIProjection serviceAccountToken:ServiceAccountTokenProjection clusterTrustBundle,podCertificate:a
ConfigMapProjection name:s items:[KeyToPath] optional:b
DownwardAPIProjection items:[DownwardAPIVolumeFile]
ServiceAccountTokenProjection audience,path:s expirationSeconds:l
CSIVolumeSource driver,fsType:s readOnly:b volumeAttributes:{s} nodePublishSecretRef:LocalObjectReference
EphemeralVolumeSource volumeClaimTemplate:PersistentVolumeClaimTemplate readOnly:b
PersistentVolumeClaimTemplate metadata:ObjectMeta spec:PersistentVolumeClaimSpec
";

/// The workloads beside StatefulSet. Of OpenKruise's, the fields of both versions.
const WORKLOADS: &str = "\
Deployment apiVersion,kind:s metadata:ObjectMeta spec:DeploymentSpec status:a
DeploymentSpec replicas,minReadySeconds,revisionHistoryLimit,progressDeadlineSeconds:i selector:LabelSelector template:PodTemplateSpec strategy:DeploymentStrategy paused:b
DeploymentStrategy type:s rollingUpdate:RollingUpdateDeployment
RollingUpdateDeployment maxUnavailable,maxSurge:x
ReplicaSet apiVersion,kind:s metadata:ObjectMeta spec:ReplicaSetSpec status:a
ReplicaSetSpec replicas,minReadySeconds:i selector:LabelSelector template:PodTemplateSpec
DaemonSet apiVersion,kind:s metadata:ObjectMeta spec:DaemonSetSpec status:a
DaemonSetSpec selector:LabelSelector template:PodTemplateSpec updateStrategy:DaemonSetUpdateStrategy minReadySeconds,revisionHistoryLimit:i
DaemonSetUpdateStrategy type:s rollingUpdate:RollingUpdateDaemonSet
RollingUpdateDaemonSet maxUnavailable,maxSurge:x
CloneSet apiVersion,kind:s metadata:ObjectMeta spec:CloneSetSpec status:a
CloneSetSpec replicas,minReadySeconds,revisionHistoryLimit,progressDeadlineSeconds:i selector:LabelSelector template:PodTemplateSpec volumeClaimTemplates:[PersistentVolumeClaim] scaleStrategy:CloneSetScaleStrategy updateStrategy:CloneSetUpdateStrategy lifecycle:CloneSetLifecycle
CloneSetScaleStrategy podsToDelete:[s] maxUnavailable:x enablePVCReuse,excludePreparingDelete:b
CloneSetUpdateStrategy type:s rollingUpdate:RollingUpdateCloneSet
RollingUpdateCloneSet podUpdatePolicy:s partition,maxUnavailable,maxSurge:x paused:b priorityStrategy:UpdatePriorityStrategy scatterStrategy:[UpdateScatterTerm] inPlaceUpdateStrategy:InPlaceUpdateStrategy
CloneSetOfV1alpha1 apiVersion,kind:s metadata:ObjectMeta spec:CloneSetSpecOfV1alpha1 status:a
CloneSetSpecOfV1alpha1 replicas,minReadySeconds,revisionHistoryLimit,progressDeadlineSeconds:i selector:LabelSelector template:PodTemplateSpec volumeClaimTemplates:[PersistentVolumeClaim] scaleStrategy:ScaleStrategyOfV1alpha1 updateStrategy:UpdateStrategyOfV1alpha1 lifecycle:CloneSetLifecycle
ScaleStrategyOfV1alpha1 podsToDelete:[s] maxUnavailable:x disablePVCReuse:b
UpdateStrategyOfV1alpha1 type:s partition,maxUnavailable,maxSurge:x paused:b priorityStrategy:UpdatePriorityStrategy scatterStrategy:[UpdateScatterTerm] inPlaceUpdateStrategy:InPlaceUpdateStrategy
UpdatePriorityStrategy orderPriority:[UpdatePriorityOrderTerm] weightPriority:[UpdatePriorityWeightTerm]
UpdatePriorityOrderTerm orderedKey:s
UpdatePriorityWeightTerm weight:i matchSelector:LabelSelector
UpdateScatterTerm key,value:s
InPlaceUpdateStrategy gracePeriodSeconds:i
CloneSetLifecycle preDelete,inPlaceUpdate,preNormal:LifecycleHook
LifecycleHook labelsHandler:{s} finalizersHandler:[s] markPodNotReady:b
";

/// The versions in which a workload beside StatefulSet is read; none for any other kind.
pub(super) fn versions(kind: &str) -> Option<&'static [&'static str]> {
    match kind {
        "Deployment" | "ReplicaSet" | "DaemonSet" => Some(&["apps/v1"]),
        "CloneSet" => Some(&["apps.kruise.io/v1beta1", "apps.kruise.io/v1alpha1"]),
        _ => None,
    }
}

fn lines() -> impl Iterator<Item = &'static str> {
    SCHEMA.lines().chain(WORKLOADS.lines())
}

/// The fields that a type has in 1.`minor`, as name and type; none if there is no such type.
pub(super) fn fields(
    type_name: &str,
    minor: u32,
) -> Option<impl Iterator<Item = (&'static str, &'static str)> + Clone> {
    let line = lines().find_map(|line| line.strip_prefix(type_name)?.strip_prefix(' '))?;
    let entries = line.split(' ').filter_map(|entry| entry.split_once(':'));
    let known = entries.filter_map(move |(names, of)| match names.split_once('@') {
        None => Some((names, of)),
        Some((name, since)) => since.parse().is_ok_and(|since: u32| since <= minor).then_some((name, of)),
    });
    Some(known.flat_map(|(names, of)| names.split(',').map(move |name| (name, of))))
}

#[cfg(test)]
mod tests {
    use super::{fields, lines};

    #[test]
    fn every_type_that_is_named_exists_and_no_field_stands_twice() {
        for line in lines() {
            let name = line.split(' ').next().unwrap_or_default();
            let mut seen = std::collections::BTreeSet::new();
            for (field, of) in fields(name, u32::MAX).unwrap() {
                assert!(seen.insert(field), "{name}.{field} stands twice");
                let inner = of.trim_matches(['[', ']', '{', '}']);
                let known = matches!(inner, "s" | "i" | "l" | "b" | "q" | "x" | "t" | "a");
                assert!(known || fields(inner, 0).is_some(), "{name}.{field} has the unknown type {of}");
            }
        }
    }
}
