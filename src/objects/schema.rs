//! The types of the API, as far as workloads reach: every field with its type, as one small text.
//!
//! A line is a type: its name, then its fields, each with its type. `s` text (`s.v1.Name` one of a named type), `i` int32,
//! `l` int64, `b` bool, `q` quantity, `x` int or text, `t` time, `a` anything; `[T]` a list, `{T}` a map; a capital starts the
//! name of another line. Before the type, `+` marks what the schema requires, `*` a pointer (an empty value is kept), `!`
//! what is written though it is empty. Fields that share a type share one entry: `a,b:T`; `a@22:T` is there since 1.22,
//! `a@..23:T` up to 1.23. From the API reference of apps/v1 and core/v1.

use super::Kind;
use crate::order::Gather;
use crate::text::Text;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

const TYPES: &str = "\
StatefulSet apiVersion,kind:s metadata:ObjectMeta spec:StatefulSetSpec status:StatefulSetStatus
Deployment apiVersion,kind:s metadata:ObjectMeta spec:DeploymentSpec status:DeploymentStatus
ReplicaSet apiVersion,kind:s metadata:ObjectMeta spec:ReplicaSetSpec status:ReplicaSetStatus
DaemonSet apiVersion,kind:s metadata:ObjectMeta spec:DaemonSetSpec status:DaemonSetStatus
ObjectMeta name,generateName,namespace,selfLink,resourceVersion,clusterName@..23:s uid:s.types.UID generation:l creationTimestamp:t deletionTimestamp:*t deletionGracePeriodSeconds:*l labels,annotations:{s} ownerReferences:[OwnerReference] finalizers:[s] managedFields:[ManagedFieldsEntry]
StatefulSetSpec replicas,revisionHistoryLimit:*i selector:+*!LabelSelector template:+!PodTemplateSpec volumeClaimTemplates:[PersistentVolumeClaim] serviceName:+!s podManagementPolicy:s.v1.PodManagementPolicyType updateStrategy:StatefulSetUpdateStrategy minReadySeconds@22:i persistentVolumeClaimRetentionPolicy@23:*StatefulSetPersistentVolumeClaimRetentionPolicy ordinals@26:*StatefulSetOrdinals
StatefulSetStatus observedGeneration:l replicas:+!i readyReplicas,currentReplicas,updatedReplicas:i currentRevision,updateRevision:s collisionCount:*i conditions:[StatefulSetCondition] availableReplicas@22:!i
DeploymentSpec replicas,revisionHistoryLimit,progressDeadlineSeconds:*i selector:+*!LabelSelector template:+!PodTemplateSpec strategy:DeploymentStrategy minReadySeconds:i paused:b
DeploymentStatus observedGeneration:l replicas,updatedReplicas,readyReplicas,availableReplicas,unavailableReplicas:i terminatingReplicas@33,collisionCount:*i conditions:[DeploymentCondition]
ReplicaSetSpec replicas:*i minReadySeconds:i selector:+*!LabelSelector template:PodTemplateSpec
ReplicaSetStatus replicas:+!i fullyLabeledReplicas,readyReplicas,availableReplicas:i terminatingReplicas@33:*i observedGeneration:l conditions:[ReplicaSetCondition]
DaemonSetSpec selector:+*!LabelSelector template:+!PodTemplateSpec updateStrategy:DaemonSetUpdateStrategy minReadySeconds:i revisionHistoryLimit:*i
DaemonSetStatus currentNumberScheduled,numberMisscheduled,desiredNumberScheduled,numberReady:+!i observedGeneration:l updatedNumberScheduled,numberAvailable,numberUnavailable:i collisionCount:*i conditions:[DaemonSetCondition]
OwnerReference apiVersion,kind,name:+!s uid:+!s.types.UID controller,blockOwnerDeletion:*b
ManagedFieldsEntry manager,apiVersion,fieldsType,subresource:s operation:s.v1.ManagedFieldsOperationType time:*t fieldsV1:*a
LabelSelector matchLabels:{s} matchExpressions:[LabelSelectorRequirement]
PodTemplateSpec metadata:ObjectMeta spec:PodSpec
PersistentVolumeClaim apiVersion,kind:s metadata:ObjectMeta spec:PersistentVolumeClaimSpec status:PersistentVolumeClaimStatus
StatefulSetUpdateStrategy type:s.v1.StatefulSetUpdateStrategyType rollingUpdate:*RollingUpdateStatefulSetStrategy
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted,whenScaled:s.v1.PersistentVolumeClaimRetentionPolicyType
StatefulSetOrdinals start:!i
StatefulSetCondition type:+!s.v1.StatefulSetConditionType status:+!s.v1.ConditionStatus lastTransitionTime:t reason,message:s
DeploymentStrategy type:s.v1.DeploymentStrategyType rollingUpdate:*RollingUpdateDeployment
DeploymentCondition type:+!s.v1.DeploymentConditionType status:+!s.v1.ConditionStatus lastUpdateTime,lastTransitionTime:t reason,message:s
ReplicaSetCondition type:+!s.v1.ReplicaSetConditionType status:+!s.v1.ConditionStatus lastTransitionTime:t reason,message:s
DaemonSetUpdateStrategy type:s.v1.DaemonSetUpdateStrategyType rollingUpdate:*RollingUpdateDaemonSet
DaemonSetCondition type:+!s.v1.DaemonSetConditionType status:+!s.v1.ConditionStatus lastTransitionTime:t reason,message:s
LabelSelectorRequirement key:+!s operator:+!s.v1.LabelSelectorOperator values:[s]
PodSpec volumes:[Volume] initContainers:[Container] containers:+![Container] ephemeralContainers:[EphemeralContainer] restartPolicy:s.v1.RestartPolicy terminationGracePeriodSeconds,activeDeadlineSeconds:*l dnsPolicy:s.v1.DNSPolicy nodeSelector:{s} serviceAccountName,serviceAccount,nodeName,hostname,subdomain,schedulerName,priorityClassName:s automountServiceAccountToken,shareProcessNamespace,enableServiceLinks,setHostnameAsFQDN,hostUsers@25:*b hostNetwork,hostPID,hostIPC:b securityContext:*PodSecurityContext imagePullSecrets:[LocalObjectReference] affinity:*Affinity tolerations:[Toleration] hostAliases:[HostAlias] priority:*i dnsConfig:*PodDNSConfig readinessGates:[PodReadinessGate] runtimeClassName,hostnameOverride@34:*s preemptionPolicy:*s.v1.PreemptionPolicy overhead:{q} topologySpreadConstraints:[TopologySpreadConstraint] os@23:*PodOS schedulingGates@26:[PodSchedulingGate] resourceClaims@26:[PodResourceClaim] resources@32:*ResourceRequirements schedulingGroup@36:*PodSchedulingGroup
PersistentVolumeClaimSpec accessModes:[s.v1.PersistentVolumeAccessMode] selector:*LabelSelector resources:VolumeResourceRequirements volumeName:s storageClassName,volumeAttributesClassName@29:*s volumeMode:*s.v1.PersistentVolumeMode dataSource:*TypedLocalObjectReference dataSourceRef@22:*TypedObjectReference
PersistentVolumeClaimStatus phase:s.v1.PersistentVolumeClaimPhase accessModes:[s.v1.PersistentVolumeAccessMode] capacity,allocatedResources@23:{q} conditions:[PersistentVolumeClaimCondition] allocatedResourceStatuses@28:{s.v1.ClaimResourceStatus} currentVolumeAttributesClassName@29:*s modifyVolumeStatus@29:*ModifyVolumeStatus
RollingUpdateStatefulSetStrategy partition:*i maxUnavailable@24:*x
RollingUpdateDeployment maxUnavailable,maxSurge:*x
RollingUpdateDaemonSet maxUnavailable,maxSurge@21:*x
Volume name:+!s hostPath:*HostPathVolumeSource emptyDir:*EmptyDirVolumeSource gcePersistentDisk:*GCEPersistentDiskVolumeSource awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource gitRepo:*GitRepoVolumeSource secret:*SecretVolumeSource nfs:*NFSVolumeSource iscsi:*ISCSIVolumeSource glusterfs:*GlusterfsVolumeSource persistentVolumeClaim:*PersistentVolumeClaimVolumeSource rbd:*RBDVolumeSource flexVolume:*FlexVolumeSource cinder:*CinderVolumeSource cephfs:*CephFSVolumeSource flocker:*FlockerVolumeSource downwardAPI:*DownwardAPIVolumeSource fc:*FCVolumeSource azureFile:*AzureFileVolumeSource configMap:*ConfigMapVolumeSource vsphereVolume:*VsphereVirtualDiskVolumeSource quobyte:*QuobyteVolumeSource azureDisk:*AzureDiskVolumeSource photonPersistentDisk:*PhotonPersistentDiskVolumeSource projected:*ProjectedVolumeSource portworxVolume:*PortworxVolumeSource scaleIO:*ScaleIOVolumeSource storageos:*StorageOSVolumeSource csi:*CSIVolumeSource ephemeral:*EphemeralVolumeSource image@31:*ImageVolumeSource
Container name:+!s image,workingDir,terminationMessagePath:s command,args:[s] ports:[ContainerPort] envFrom:[EnvFromSource] env:[EnvVar] resources:ResourceRequirements resizePolicy@27:[ContainerResizePolicy] restartPolicy@28:*s.v1.ContainerRestartPolicy restartPolicyRules@34:[ContainerRestartRule] volumeMounts:[VolumeMount] volumeDevices:[VolumeDevice] livenessProbe,readinessProbe,startupProbe:*Probe lifecycle:*Lifecycle terminationMessagePolicy:s.v1.TerminationMessagePolicy imagePullPolicy:s.v1.PullPolicy securityContext:*SecurityContext stdin,stdinOnce,tty:b
EphemeralContainer name:+!s image,workingDir,terminationMessagePath,targetContainerName:s command,args:[s] ports:[ContainerPort] envFrom:[EnvFromSource] env:[EnvVar] resources:ResourceRequirements resizePolicy@27:[ContainerResizePolicy] restartPolicy@28:*s.v1.ContainerRestartPolicy restartPolicyRules@34:[ContainerRestartRule] volumeMounts:[VolumeMount] volumeDevices:[VolumeDevice] livenessProbe,readinessProbe,startupProbe:*Probe lifecycle:*Lifecycle terminationMessagePolicy:s.v1.TerminationMessagePolicy imagePullPolicy:s.v1.PullPolicy securityContext:*SecurityContext stdin,stdinOnce,tty:b
PodSecurityContext seLinuxOptions:*SELinuxOptions windowsOptions:*WindowsSecurityContextOptions runAsUser,runAsGroup,fsGroup:*l runAsNonRoot:*b supplementalGroups:[l] supplementalGroupsPolicy@31:*s.v1.SupplementalGroupsPolicy sysctls:[Sysctl] fsGroupChangePolicy:*s.v1.PodFSGroupChangePolicy seccompProfile:*SeccompProfile appArmorProfile@30:*AppArmorProfile seLinuxChangePolicy@32:*s.v1.PodSELinuxChangePolicy
LocalObjectReference name:s
Affinity nodeAffinity:*NodeAffinity podAffinity:*PodAffinity podAntiAffinity:*PodAntiAffinity
Toleration key,value:s operator:s.v1.TolerationOperator effect:s.v1.TaintEffect tolerationSeconds:*l
HostAlias ip:+!s hostnames:[s]
PodDNSConfig nameservers,searches:[s] options:[PodDNSConfigOption]
PodReadinessGate conditionType:+!s.v1.PodConditionType
TopologySpreadConstraint maxSkew:+!i topologyKey:+!s whenUnsatisfiable:+!s.v1.UnsatisfiableConstraintAction labelSelector:*LabelSelector minDomains@24:*i nodeAffinityPolicy@25,nodeTaintsPolicy@25:*s.v1.NodeInclusionPolicy matchLabelKeys@25:[s]
PodOS name:+!s.v1.OSName
PodSchedulingGate name:+!s
PodResourceClaim name:+!s resourceClaimName,resourceClaimTemplateName:*s
ResourceRequirements limits,requests:{q} claims@26:[ResourceClaim]
PodSchedulingGroup podGroupName:*s
VolumeResourceRequirements limits,requests:{q}
TypedLocalObjectReference apiGroup:*!s kind,name:+!s
TypedObjectReference apiGroup:*!s kind,name:+!s namespace@26:*s
PersistentVolumeClaimCondition type:+!s.v1.PersistentVolumeClaimConditionType status:+!s.v1.ConditionStatus lastProbeTime,lastTransitionTime:t reason,message:s
ModifyVolumeStatus targetVolumeAttributesClassName:s status:+!s.v1.PersistentVolumeClaimModifyVolumeStatus
HostPathVolumeSource path:+!s type:*s.v1.HostPathType
EmptyDirVolumeSource medium:s.v1.StorageMedium sizeLimit:*q
GCEPersistentDiskVolumeSource pdName:+!s fsType:s partition:i readOnly:b
AWSElasticBlockStoreVolumeSource volumeID:+!s fsType:s partition:i readOnly:b
GitRepoVolumeSource repository:+!s revision,directory:s
SecretVolumeSource secretName:s items:[KeyToPath] defaultMode:*i optional:*b
NFSVolumeSource server,path:+!s readOnly:b
ISCSIVolumeSource targetPortal,iqn:+!s lun:+!i iscsiInterface,fsType:s readOnly,chapAuthDiscovery,chapAuthSession:b portals:[s] secretRef:*LocalObjectReference initiatorName:*s
GlusterfsVolumeSource endpoints,path:+!s readOnly:b
PersistentVolumeClaimVolumeSource claimName:+!s readOnly:b
RBDVolumeSource monitors:+![s] image:+!s fsType,pool,user,keyring:s secretRef:*LocalObjectReference readOnly:b
FlexVolumeSource driver:+!s fsType:s secretRef:*LocalObjectReference readOnly:b options:{s}
CinderVolumeSource volumeID:+!s fsType:s readOnly:b secretRef:*LocalObjectReference
CephFSVolumeSource monitors:+![s] path,user,secretFile:s secretRef:*LocalObjectReference readOnly:b
FlockerVolumeSource datasetName,datasetUUID:s
DownwardAPIVolumeSource items:[DownwardAPIVolumeFile] defaultMode:*i
FCVolumeSource targetWWNs,wwids:[s] lun:*i fsType:s readOnly:b
AzureFileVolumeSource secretName,shareName:+!s readOnly:b
ConfigMapVolumeSource name:s items:[KeyToPath] defaultMode:*i optional:*b
VsphereVirtualDiskVolumeSource volumePath:+!s fsType,storagePolicyName,storagePolicyID:s
QuobyteVolumeSource registry,volume:+!s readOnly:b user,group,tenant:s
AzureDiskVolumeSource diskName,diskURI:+!s cachingMode:*s.v1.AzureDataDiskCachingMode fsType:*s readOnly:*b kind:*s.v1.AzureDataDiskKind
PhotonPersistentDiskVolumeSource pdID:+!s fsType:s
ProjectedVolumeSource sources:![VolumeProjection] defaultMode:*i
PortworxVolumeSource volumeID:+!s fsType:s readOnly:b
ScaleIOVolumeSource gateway,system:+!s secretRef:+*!LocalObjectReference sslEnabled,readOnly:b protectionDomain,storagePool,storageMode,volumeName,fsType:s
StorageOSVolumeSource volumeName,volumeNamespace,fsType:s readOnly:b secretRef:*LocalObjectReference
CSIVolumeSource driver:+!s readOnly:*b fsType:*s volumeAttributes:{s} nodePublishSecretRef:*LocalObjectReference
EphemeralVolumeSource volumeClaimTemplate:*PersistentVolumeClaimTemplate readOnly@..20:b
ImageVolumeSource reference:s pullPolicy:s.v1.PullPolicy
ContainerPort name,hostIP:s hostPort:i containerPort:+!i protocol:s.v1.Protocol
EnvFromSource prefix:s configMapRef:*ConfigMapEnvSource secretRef:*SecretEnvSource
EnvVar name:+!s value:s valueFrom:*EnvVarSource
ContainerResizePolicy resourceName:+!s.v1.ResourceName restartPolicy:+!s.v1.ResourceResizeRestartPolicy
ContainerRestartRule action:+s.v1.ContainerRestartRuleAction exitCodes:*ContainerRestartRuleOnExitCodes
VolumeMount name,mountPath:+!s readOnly:b recursiveReadOnly@30:*s.v1.RecursiveReadOnlyMode subPath,subPathExpr:s mountPropagation:*s.v1.MountPropagationMode
VolumeDevice name,devicePath:+!s
Probe exec:*ExecAction httpGet:*HTTPGetAction tcpSocket:*TCPSocketAction grpc@23:*GRPCAction initialDelaySeconds,timeoutSeconds,periodSeconds,successThreshold,failureThreshold:i terminationGracePeriodSeconds@21:*l
Lifecycle postStart,preStop:*LifecycleHandler stopSignal@33:*s.v1.Signal
SecurityContext capabilities:*Capabilities privileged,runAsNonRoot,readOnlyRootFilesystem,allowPrivilegeEscalation:*b seLinuxOptions:*SELinuxOptions windowsOptions:*WindowsSecurityContextOptions runAsUser,runAsGroup:*l procMount:*s.v1.ProcMountType seccompProfile:*SeccompProfile appArmorProfile@30:*AppArmorProfile
SELinuxOptions user,role,type,level:s
WindowsSecurityContextOptions gmsaCredentialSpecName,gmsaCredentialSpec,runAsUserName:*s hostProcess@22:*b
Sysctl name,value:+!s
SeccompProfile type:+!s.v1.SeccompProfileType localhostProfile:*s
AppArmorProfile type:+!s.v1.AppArmorProfileType localhostProfile:*s
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution:*NodeSelector preferredDuringSchedulingIgnoredDuringExecution:[PreferredSchedulingTerm]
PodAffinity requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm] preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm]
PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm] preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm]
PodDNSConfigOption name:s value:*s
ResourceClaim name:+!s request@31:s
KeyToPath key,path:+!s mode:*i
DownwardAPIVolumeFile path:+!s fieldRef:*ObjectFieldSelector resourceFieldRef:*ResourceFieldSelector mode:*i
VolumeProjection secret:*SecretProjection downwardAPI:*DownwardAPIProjection configMap:*ConfigMapProjection serviceAccountToken:*ServiceAccountTokenProjection clusterTrustBundle@29:*ClusterTrustBundleProjection podCertificate@34:*PodCertificateProjection
PersistentVolumeClaimTemplate metadata:ObjectMeta spec:+!PersistentVolumeClaimSpec
ConfigMapEnvSource name:s optional:*b
SecretEnvSource name:s optional:*b
EnvVarSource fieldRef:*ObjectFieldSelector resourceFieldRef:*ResourceFieldSelector configMapKeyRef:*ConfigMapKeySelector secretKeyRef:*SecretKeySelector fileKeyRef@34:*FileKeySelector
ContainerRestartRuleOnExitCodes operator:+s.v1.ContainerRestartRuleOnExitCodesOperator values:[i]
ExecAction command:[s]
HTTPGetAction path,host:s port:+!x scheme:s.v1.URIScheme httpHeaders:[HTTPHeader]
TCPSocketAction port:+!x host:s
GRPCAction port:+!i service:*!s
LifecycleHandler exec:*ExecAction httpGet:*HTTPGetAction tcpSocket:*TCPSocketAction sleep@29:*SleepAction
Capabilities add,drop:[s.v1.Capability]
NodeSelector nodeSelectorTerms:+![NodeSelectorTerm]
PreferredSchedulingTerm weight:+!i preference:+!NodeSelectorTerm
PodAffinityTerm labelSelector,namespaceSelector@21:*LabelSelector namespaces,matchLabelKeys@29,mismatchLabelKeys@29:[s] topologyKey:+!s
WeightedPodAffinityTerm weight:+!i podAffinityTerm:+!PodAffinityTerm
ObjectFieldSelector apiVersion:s fieldPath:+!s
ResourceFieldSelector containerName:s resource:+!s divisor:q
SecretProjection name:s items:[KeyToPath] optional:*b
DownwardAPIProjection items:[DownwardAPIVolumeFile]
ConfigMapProjection name:s items:[KeyToPath] optional:*b
ServiceAccountTokenProjection audience:s expirationSeconds:*l path:+!s
ClusterTrustBundleProjection name,signerName:*s labelSelector:*LabelSelector optional:*b path:+!s
PodCertificateProjection signerName,keyType:+s maxExpirationSeconds:*i credentialBundlePath,keyPath,certificateChainPath:s userAnnotations:{s}
ConfigMapKeySelector name:s key:+!s optional:*b
SecretKeySelector name:s key:+!s optional:*b
FileKeySelector volumeName,path,key:+!s optional:*b
HTTPHeader name,value:+!s
SleepAction seconds:+!l
NodeSelectorTerm matchExpressions,matchFields:[NodeSelectorRequirement]
NodeSelectorRequirement key:+!s operator:+!s.v1.NodeSelectorOperator values:[s]
";

/// OpenKruise's types, of both versions.
const CLONE_SET: &str = "\
CloneSet apiVersion,kind:s metadata:ObjectMeta spec:CloneSetSpec status:a
CloneSetSpec replicas,minReadySeconds,revisionHistoryLimit,progressDeadlineSeconds:*i selector:LabelSelector template:PodTemplateSpec volumeClaimTemplates:[PersistentVolumeClaim] scaleStrategy:*CloneSetScaleStrategy updateStrategy:*CloneSetUpdateStrategy lifecycle:*CloneSetLifecycle
CloneSetScaleStrategy podsToDelete:[s] maxUnavailable:*x enablePVCReuse,excludePreparingDelete:b
CloneSetUpdateStrategy type:s rollingUpdate:*RollingUpdateCloneSet
RollingUpdateCloneSet podUpdatePolicy:s partition,maxUnavailable,maxSurge:*x paused:b priorityStrategy:*UpdatePriorityStrategy scatterStrategy:[UpdateScatterTerm] inPlaceUpdateStrategy:*InPlaceUpdateStrategy
CloneSetOfV1alpha1 apiVersion,kind:s metadata:ObjectMeta spec:CloneSetSpecOfV1alpha1 status:a
CloneSetSpecOfV1alpha1 replicas,minReadySeconds,revisionHistoryLimit,progressDeadlineSeconds:*i selector:LabelSelector template:PodTemplateSpec volumeClaimTemplates:[PersistentVolumeClaim] scaleStrategy:*ScaleStrategyOfV1alpha1 updateStrategy:*UpdateStrategyOfV1alpha1 lifecycle:*CloneSetLifecycle
ScaleStrategyOfV1alpha1 podsToDelete:[s] maxUnavailable:*x disablePVCReuse:b
UpdateStrategyOfV1alpha1 type:s partition,maxUnavailable,maxSurge:*x paused:b priorityStrategy:*UpdatePriorityStrategy scatterStrategy:[UpdateScatterTerm] inPlaceUpdateStrategy:*InPlaceUpdateStrategy
UpdatePriorityStrategy orderPriority:[UpdatePriorityOrderTerm] weightPriority:[UpdatePriorityWeightTerm]
UpdatePriorityOrderTerm orderedKey:s
UpdatePriorityWeightTerm weight:*i matchSelector:LabelSelector
UpdateScatterTerm key,value:s
InPlaceUpdateStrategy gracePeriodSeconds:*i
AdvancedStatefulSet apiVersion,kind:s metadata:ObjectMeta spec:AdvancedStatefulSetSpec status:a
AdvancedStatefulSetSpec replicas,revisionHistoryLimit:*i selector:LabelSelector template:PodTemplateSpec volumeClaimTemplates:[PersistentVolumeClaim] volumeClaimUpdateStrategy:*VolumeClaimUpdateStrategy serviceName,podManagementPolicy:s updateStrategy:*AdvancedUpdateStrategy reserveOrdinals:[x] lifecycle:*CloneSetLifecycle scaleStrategy:*AdvancedScaleStrategy persistentVolumeClaimRetentionPolicy:*StatefulSetPersistentVolumeClaimRetentionPolicy ordinals:*StatefulSetOrdinals
VolumeClaimUpdateStrategy type:s
AdvancedScaleStrategy maxUnavailable:*x
AdvancedUpdateStrategy type:s rollingUpdate:*AdvancedRollingUpdate
AdvancedRollingUpdate partition,minReadySeconds:*i maxUnavailable:*x podUpdatePolicy:s paused:b unorderedUpdate:*UnorderedUpdateStrategy inPlaceUpdateStrategy:*InPlaceUpdateStrategy
UnorderedUpdateStrategy priorityStrategy:*UpdatePriorityStrategy
CloneSetLifecycle preDelete,inPlaceUpdate,preNormal:*LifecycleHook
LifecycleHook labelsHandler:{s} finalizersHandler:[s] markPodNotReady:b
";

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// A text; Go's name of its type, if that is not `string`.
    Text(&'static str),
    Int32,
    Int64,
    Bool,
    Quantity,
    IntOrString,
    Time,
    Any,
    List(Box<Type>),
    Map(Box<Type>),
    Struct(&'static str),
}

impl Type {
    fn parse(text: &'static str) -> Self {
        let inside =
            |open: char, close: char| text.strip_prefix(open)?.strip_suffix(close).map(Self::parse).map(Box::new);
        if let Some(inner) = inside('[', ']') {
            return Self::List(inner);
        }
        if let Some(inner) = inside('{', '}') {
            return Self::Map(inner);
        }
        match text {
            "s" => Self::Text("string"),
            "i" => Self::Int32,
            "l" => Self::Int64,
            "b" => Self::Bool,
            "q" => Self::Quantity,
            "x" => Self::IntOrString,
            "t" => Self::Time,
            "a" => Self::Any,
            _ => text.strip_prefix("s.").map_or(Self::Struct(text), Self::Text),
        }
    }

    /// The type in Go.
    pub(super) fn go_name(&self) -> String {
        match self {
            Self::Text(name) => (*name).to_owned(),
            Self::Int32 => "int32".to_owned(),
            Self::Int64 => "int64".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Quantity => "resource.Quantity".to_owned(),
            Self::IntOrString => "intstr.IntOrString".to_owned(),
            Self::Time => "string".to_owned(),
            Self::Any => "interface {}".to_owned(),
            Self::List(inner) => format!("[]{}", inner.go_name()),
            Self::Map(inner) => format!("map[string]{}", inner.go_name()),
            Self::Struct(name) => format!("v1.{name}"),
        }
    }

    /// The type in the server's schema.
    pub(super) fn schema_name(&self) -> &'static str {
        match self {
            Self::List(_) => "array",
            Self::Int32 | Self::Int64 => "integer",
            Self::Bool => "boolean",
            Self::Map(_) | Self::Struct(_) | Self::Any => "map",
            Self::Text(_) | Self::Quantity | Self::IntOrString | Self::Time => "string",
        }
    }

    /// What a field of the type takes.
    pub(super) fn plain_name(&self) -> Text {
        match self {
            Self::List(_) => text!("a list"),
            Self::Map(_) => text!("a map"),
            Self::Int32 => text!("a whole number of 32 bits"),
            Self::Int64 => text!("a whole number"),
            Self::Bool => text!("true or false"),
            Self::Text(_) => text!("a text; put it in quotes"),
            Self::Quantity => text!("a quantity such as 500m or 1Gi"),
            Self::IntOrString => text!("a number or a text"),
            Self::Time => text!("a time"),
            Self::Struct(_) | Self::Any => text!("a map of fields"),
        }
    }
}

/// Types that have another name since a release: theirs by now, the last minor release before, and what they were called.
const RENAMED: [(&str, u32, &str); 3] = [
    ("LifecycleHandler", 22, "Handler"),
    ("ProbeHandler", 22, "Handler"),
    ("VolumeResourceRequirements", 28, "ResourceRequirements"),
];

/// What a type is called among the types of 1.`types`.
pub(super) fn go_name(type_name: &'static str, types: u32) -> &'static str {
    let renamed = RENAMED.iter().find(|(now, until, _)| *now == type_name && types <= *until);
    renamed.map_or(type_name, |(_, _, before)| before)
}

/// A field of a type.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) of: Type,
    pub(super) required: bool,
    pub(super) pointer: bool,
    pub(super) always: bool,
    since: u32,
    until: u32,
}

impl Field {
    fn parse(name: &'static str, of: &'static str) -> Self {
        let (name, since, until) = match name.split_once('@') {
            None => (name, 0, u32::MAX),
            Some((name, bound)) => match bound.strip_prefix("..") {
                Some(until) => (name, 0, until.parse().unwrap_or(u32::MAX)),
                None => (name, bound.parse().unwrap_or(0), u32::MAX),
            },
        };
        let bare = of.trim_start_matches(['+', '*', '!']);
        let marks = &of[..of.len() - bare.len()];
        let marked = |mark: char| marks.contains(mark);
        let (required, pointer, always) = (marked('+'), marked('*'), marked('!'));
        Self { name, of: Type::parse(bare), required, pointer, always, since, until }
    }

    /// Whether the types of 1.`types` have the field.
    pub(super) fn exists(&self, types: u32) -> bool {
        (self.since..=self.until).contains(&types)
    }

    /// Whether Go writes the field when it has this value.
    pub(super) fn is_written(&self, value: &Value) -> bool {
        match value {
            Value::Null => false,
            _ if self.pointer || self.always => true,
            Value::Bool(value) => *value,
            Value::Number(number) => number.as_i64() != Some(0),
            Value::String(text) => !text.is_empty(),
            Value::Array(items) => !items.is_empty(),
            Value::Object(fields) => matches!(self.of, Type::Struct(_)) || !fields.is_empty(),
        }
    }
}

fn parse(types: &'static str) -> impl Iterator<Item = (&'static str, Vec<Field>)> {
    types.lines().filter_map(|line| {
        let (name, entries) = line.split_once(' ')?;
        let entries = entries.split(' ').filter_map(|entry| entry.split_once(':'));
        Some((name, entries.flat_map(|(names, of)| names.split(',').map(|name| Field::parse(name, of))).collect()))
    })
}

static SCHEMA: LazyLock<BTreeMap<&'static str, Vec<Field>>> =
    LazyLock::new(|| parse(TYPES).chain(parse(CLONE_SET)).gather());

static NAMES: LazyLock<BTreeSet<&'static str>> =
    LazyLock::new(|| SCHEMA.values().flatten().map(|field| field.name).collect());

/// Whether a field of any type here has the name.
pub(crate) fn is_api_field(name: &str) -> bool {
    NAMES.contains(name)
}

/// The fields of a type; none of one that is not in the table.
pub(super) fn fields(type_name: &str) -> &'static [Field] {
    SCHEMA.get(type_name).map_or(&[], Vec::as_slice)
}

/// The versions in which a workload is read, and the type that each is; none for any other kind.
pub(crate) fn versions(kind: Kind) -> &'static [(&'static str, &'static str)] {
    match kind {
        Kind::StatefulSet => &[("apps/v1", "StatefulSet")],
        Kind::Deployment => &[("apps/v1", "Deployment")],
        Kind::ReplicaSet => &[("apps/v1", "ReplicaSet")],
        Kind::DaemonSet => &[("apps/v1", "DaemonSet")],
        Kind::CloneSet => &[("apps.kruise.io/v1beta1", "CloneSet"), ("apps.kruise.io/v1alpha1", "CloneSetOfV1alpha1")],
        Kind::AdvancedStatefulSet => &[("apps.kruise.io/v1beta1", "AdvancedStatefulSet")],
        Kind::Pod | Kind::PersistentVolumeClaim | Kind::ControllerRevision | Kind::Node => &[],
    }
}

/// The type as which a workload is stored.
pub(super) fn type_of(kind: Kind) -> &'static str {
    versions(kind).first().map_or(kind.as_str(), |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::{SCHEMA, Type, fields};

    #[test]
    fn every_type_that_is_named_exists_and_no_field_stands_twice() {
        fn named(of: &Type) -> Option<&'static str> {
            match of {
                Type::List(inner) | Type::Map(inner) => named(inner),
                Type::Struct(name) => Some(name),
                _ => None,
            }
        }
        for (name, own) in SCHEMA.iter() {
            let mut seen = std::collections::BTreeSet::new();
            for field in own {
                assert!(seen.insert(field.name), "{name}.{} stands twice", field.name);
                let known = named(&field.of).is_none_or(|inner| !fields(inner).is_empty());
                assert!(known, "{name}.{} has the unknown type {:?}", field.name, field.of);
            }
        }
    }
}
