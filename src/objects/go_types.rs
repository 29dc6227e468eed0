//! The API's Go types, as far as workloads reach: every field as Go declares it and in its order, as one small text.
//!
//! A line is a type: its name, then its fields. A field is its Go name; `/` its JSON name where that is not the same with a small
//! first letter; `!` where the schema requires it, `~` where it is written though it is empty; `:` its type where that is not
//! `string`; `+` the first and `-` the last minor release that has it where not all have. One that has changed its type stands
//! once with each. A field that is only `=` and a type is embedded: its fields stand beside the others in JSON. Types without a
//! package are of an API package `v1`; those without a line are texts. Read from core/v1/types.go and apps/v1/types.go of
//! k8s.io/api and meta/v1/types.go of k8s.io/apimachinery of every release from 1.20 to 1.36, and from the API reference.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// An EphemeralContainer has the fields of a Container, which Go declares once more as EphemeralContainerCommon.
const TYPES: &str = "\
StatefulSet APIVersion/apiVersion Kind Metadata:ObjectMeta Spec:StatefulSetSpec Status:StatefulSetStatus
Deployment APIVersion/apiVersion Kind Metadata:ObjectMeta Spec:DeploymentSpec Status:DeploymentStatus
ReplicaSet APIVersion/apiVersion Kind Metadata:ObjectMeta Spec:ReplicaSetSpec Status:ReplicaSetStatus
DaemonSet APIVersion/apiVersion Kind Metadata:ObjectMeta Spec:DaemonSetSpec Status:DaemonSetStatus
ObjectMeta Name GenerateName Namespace SelfLink UID/uid:types.UID ResourceVersion Generation:int64 CreationTimestamp:Time DeletionTimestamp:*Time DeletionGracePeriodSeconds:*int64 Labels:map[string]string Annotations:map[string]string OwnerReferences:[]OwnerReference Finalizers:[]string ClusterName-23 ZZZ_DeprecatedClusterName/clusterName+24-24 ManagedFields:[]ManagedFieldsEntry
StatefulSetSpec Replicas:*int32 RevisionHistoryLimit:*int32 Selector!~:*LabelSelector Template!~:PodTemplateSpec VolumeClaimTemplates:[]PersistentVolumeClaim ServiceName!~ PodManagementPolicy:PodManagementPolicyType UpdateStrategy:StatefulSetUpdateStrategy MinReadySeconds:int32+22 PersistentVolumeClaimRetentionPolicy:*StatefulSetPersistentVolumeClaimRetentionPolicy+23 Ordinals:*StatefulSetOrdinals+26
StatefulSetStatus ObservedGeneration:int64 Replicas!~:int32 ReadyReplicas:int32 CurrentReplicas:int32 UpdatedReplicas:int32 CurrentRevision UpdateRevision CollisionCount:*int32 Conditions:[]StatefulSetCondition AvailableReplicas~:int32+22
DeploymentSpec Replicas:*int32 RevisionHistoryLimit:*int32 ProgressDeadlineSeconds:*int32 Selector!~:*LabelSelector Template!~:PodTemplateSpec Strategy:DeploymentStrategy MinReadySeconds:int32 Paused:bool
DeploymentStatus ObservedGeneration:int64 Replicas:int32 UpdatedReplicas:int32 ReadyReplicas:int32 AvailableReplicas:int32 UnavailableReplicas:int32 TerminatingReplicas:*int32+33 CollisionCount:*int32 Conditions:[]DeploymentCondition
ReplicaSetSpec Replicas:*int32 MinReadySeconds:int32 Selector!~:*LabelSelector Template:PodTemplateSpec
ReplicaSetStatus Replicas!~:int32 FullyLabeledReplicas:int32 ReadyReplicas:int32 AvailableReplicas:int32 TerminatingReplicas:*int32+33 ObservedGeneration:int64 Conditions:[]ReplicaSetCondition
DaemonSetSpec Selector!~:*LabelSelector Template!~:PodTemplateSpec UpdateStrategy:DaemonSetUpdateStrategy MinReadySeconds:int32 RevisionHistoryLimit:*int32
DaemonSetStatus CurrentNumberScheduled!~:int32 NumberMisscheduled!~:int32 DesiredNumberScheduled!~:int32 NumberReady!~:int32 ObservedGeneration:int64 UpdatedNumberScheduled:int32 NumberAvailable:int32 NumberUnavailable:int32 CollisionCount:*int32 Conditions:[]DaemonSetCondition
OwnerReference APIVersion/apiVersion!~ Kind!~ Name!~ Uid!~:types.UID Controller:*bool BlockOwnerDeletion:*bool
ManagedFieldsEntry Manager APIVersion/apiVersion FieldsType Subresource Operation:ManagedFieldsOperationType Time:*Time FieldsV1:*any
LabelSelector MatchLabels:map[string]string MatchExpressions:[]LabelSelectorRequirement
PodTemplateSpec ObjectMeta/metadata:ObjectMeta Spec:PodSpec
PersistentVolumeClaim APIVersion/apiVersion Kind Metadata:ObjectMeta Spec:PersistentVolumeClaimSpec Status:PersistentVolumeClaimStatus
StatefulSetUpdateStrategy Type:StatefulSetUpdateStrategyType RollingUpdate:*RollingUpdateStatefulSetStrategy
StatefulSetPersistentVolumeClaimRetentionPolicy WhenDeleted:PersistentVolumeClaimRetentionPolicyType WhenScaled:PersistentVolumeClaimRetentionPolicyType
StatefulSetOrdinals Start~:int32
StatefulSetCondition Type!~:StatefulSetConditionType Status!~:ConditionStatus LastTransitionTime:Time Reason Message
DeploymentStrategy Type:DeploymentStrategyType RollingUpdate:*RollingUpdateDeployment
DeploymentCondition Type!~:DeploymentConditionType Status!~:ConditionStatus LastUpdateTime:Time LastTransitionTime:Time Reason Message
ReplicaSetCondition Type!~:ReplicaSetConditionType Status!~:ConditionStatus LastTransitionTime:Time Reason Message
DaemonSetUpdateStrategy Type:DaemonSetUpdateStrategyType RollingUpdate:*RollingUpdateDaemonSet
DaemonSetCondition Type!~:DaemonSetConditionType Status!~:ConditionStatus LastTransitionTime:Time Reason Message
LabelSelectorRequirement Key!~ Operator!~:LabelSelectorOperator Values:[]string
PodSpec Volumes:[]Volume InitContainers:[]Container Containers!~:[]Container EphemeralContainers:[]EphemeralContainer RestartPolicy:RestartPolicy TerminationGracePeriodSeconds:*int64 ActiveDeadlineSeconds:*int64 DNSPolicy/dnsPolicy:DNSPolicy NodeSelector:map[string]string ServiceAccountName DeprecatedServiceAccount/serviceAccount AutomountServiceAccountToken:*bool NodeName HostNetwork:bool HostPID:bool HostIPC:bool ShareProcessNamespace:*bool SecurityContext:*PodSecurityContext ImagePullSecrets:[]LocalObjectReference Hostname Subdomain Affinity:*Affinity SchedulerName Tolerations:[]Toleration HostAliases:[]HostAlias PriorityClassName Priority:*int32 DNSConfig/dnsConfig:*PodDNSConfig ReadinessGates:[]PodReadinessGate RuntimeClassName:*string EnableServiceLinks:*bool PreemptionPolicy:*PreemptionPolicy Overhead:ResourceList TopologySpreadConstraints:[]TopologySpreadConstraint SetHostnameAsFQDN:*bool OS/os:*PodOS+23 HostUsers:*bool+25 SchedulingGates:[]PodSchedulingGate+26 ResourceClaims:[]PodResourceClaim+26 Resources:*ResourceRequirements+32 HostnameOverride:*string+34 WorkloadRef:*WorkloadReference+35-35 SchedulingGroup:*PodSchedulingGroup+36
PersistentVolumeClaimSpec AccessModes:[]PersistentVolumeAccessMode Selector:*LabelSelector Resources:ResourceRequirements-28 Resources:VolumeResourceRequirements+29 VolumeName StorageClassName:*string VolumeMode:*PersistentVolumeMode DataSource:*TypedLocalObjectReference DataSourceRef:*TypedLocalObjectReference+22-25 DataSourceRef:*TypedObjectReference+26 VolumeAttributesClassName:*string+29
PersistentVolumeClaimStatus Phase:PersistentVolumeClaimPhase AccessModes:[]PersistentVolumeAccessMode Capacity:ResourceList AllocatedResources:ResourceList+23 Conditions:[]PersistentVolumeClaimCondition AllocatedResourceStatuses:map[string]ClaimResourceStatus+28 CurrentVolumeAttributesClassName:*string+29 ModifyVolumeStatus:*ModifyVolumeStatus+29
RollingUpdateStatefulSetStrategy Partition:*int32 MaxUnavailable:*intstr.IntOrString+24
RollingUpdateDeployment MaxUnavailable:*intstr.IntOrString MaxSurge:*intstr.IntOrString
RollingUpdateDaemonSet MaxUnavailable:*intstr.IntOrString MaxSurge:*intstr.IntOrString+21
Volume Name!~ =VolumeSource
Container Name!~ Image Command:[]string Args:[]string WorkingDir Ports:[]ContainerPort EnvFrom:[]EnvFromSource Env:[]EnvVar Resources:ResourceRequirements ResizePolicy:[]ContainerResizePolicy+27 RestartPolicy:*ContainerRestartPolicy+28 RestartPolicyRules:[]ContainerRestartRule+34 VolumeMounts:[]VolumeMount VolumeDevices:[]VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath TerminationMessagePolicy:TerminationMessagePolicy ImagePullPolicy:PullPolicy SecurityContext:*SecurityContext Stdin:bool StdinOnce:bool TTY/tty:bool
EphemeralContainer =Container TargetContainerName
PodSecurityContext SELinuxOptions/seLinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*int64 RunAsGroup:*int64 RunAsNonRoot:*bool SupplementalGroups:[]int64 SupplementalGroupsPolicy:*SupplementalGroupsPolicy+31 FSGroup/fsGroup:*int64 Sysctls:[]Sysctl FSGroupChangePolicy/fsGroupChangePolicy:*PodFSGroupChangePolicy SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile+30 SELinuxChangePolicy/seLinuxChangePolicy:*PodSELinuxChangePolicy+32
LocalObjectReference Name
Affinity NodeAffinity:*NodeAffinity PodAffinity:*PodAffinity PodAntiAffinity:*PodAntiAffinity
Toleration Key Operator:TolerationOperator Value Effect:TaintEffect TolerationSeconds:*int64
HostAlias IP/ip!~ Hostnames:[]string
PodDNSConfig Nameservers:[]string Searches:[]string Options:[]PodDNSConfigOption
PodReadinessGate ConditionType!~:PodConditionType
TopologySpreadConstraint MaxSkew!~:int32 TopologyKey!~ WhenUnsatisfiable!~:UnsatisfiableConstraintAction LabelSelector:*LabelSelector MinDomains:*int32+24 NodeAffinityPolicy:*NodeInclusionPolicy+25 NodeTaintsPolicy:*NodeInclusionPolicy+25 MatchLabelKeys:[]string+25
PodOS Name!~:OSName
PodSchedulingGate Name!~
PodResourceClaim Name!~ Source:ClaimSource-30 ResourceClaimName:*string+31 ResourceClaimTemplateName:*string+31
ResourceRequirements Limits:ResourceList Requests:ResourceList Claims:[]ResourceClaim+26
PodSchedulingGroup PodGroupName:*string
VolumeResourceRequirements Limits:ResourceList Requests:ResourceList
TypedLocalObjectReference APIGroup/apiGroup~:*string Kind!~ Name!~
TypedObjectReference APIGroup/apiGroup~:*string Kind!~ Name!~ Namespace:*string+26
PersistentVolumeClaimCondition Type!~:PersistentVolumeClaimConditionType Status!~:ConditionStatus LastProbeTime:Time LastTransitionTime:Time Reason Message
ModifyVolumeStatus TargetVolumeAttributesClassName Status!~:PersistentVolumeClaimModifyVolumeStatus
HostPathVolumeSource Path!~ Type:*HostPathType
EmptyDirVolumeSource Medium:StorageMedium SizeLimit:*resource.Quantity
GCEPersistentDiskVolumeSource PDName/pdName!~ FSType/fsType Partition:int32 ReadOnly:bool
AWSElasticBlockStoreVolumeSource VolumeID!~ FSType/fsType Partition:int32 ReadOnly:bool
GitRepoVolumeSource Repository!~ Revision Directory
SecretVolumeSource SecretName Items:[]KeyToPath DefaultMode:*int32 Optional:*bool
NFSVolumeSource Server!~ Path!~ ReadOnly:bool
ISCSIVolumeSource TargetPortal!~ IQN/iqn!~ Lun!~:int32 ISCSIInterface/iscsiInterface FSType/fsType ReadOnly:bool Portals:[]string DiscoveryCHAPAuth/chapAuthDiscovery:bool SessionCHAPAuth/chapAuthSession:bool SecretRef:*LocalObjectReference InitiatorName:*string
GlusterfsVolumeSource EndpointsName/endpoints!~ Path!~ ReadOnly:bool
PersistentVolumeClaimVolumeSource ClaimName!~ ReadOnly:bool
RBDVolumeSource CephMonitors/monitors!~:[]string RBDImage/image!~ FSType/fsType RBDPool/pool RadosUser/user Keyring SecretRef:*LocalObjectReference ReadOnly:bool
FlexVolumeSource Driver!~ FSType/fsType SecretRef:*LocalObjectReference ReadOnly:bool Options:map[string]string
CinderVolumeSource VolumeID!~ FSType/fsType ReadOnly:bool SecretRef:*LocalObjectReference
CephFSVolumeSource Monitors!~:[]string Path User SecretFile SecretRef:*LocalObjectReference ReadOnly:bool
FlockerVolumeSource DatasetName DatasetUUID
DownwardAPIVolumeSource Items:[]DownwardAPIVolumeFile DefaultMode:*int32
FCVolumeSource TargetWWNs:[]string Lun:*int32 FSType/fsType ReadOnly:bool WWIDs/wwids:[]string
AzureFileVolumeSource SecretName!~ ShareName!~ ReadOnly:bool
ConfigMapVolumeSource =LocalObjectReference Items:[]KeyToPath DefaultMode:*int32 Optional:*bool
VsphereVirtualDiskVolumeSource VolumePath!~ FSType/fsType StoragePolicyName StoragePolicyID
QuobyteVolumeSource Registry!~ Volume!~ ReadOnly:bool User Group Tenant
AzureDiskVolumeSource DiskName!~ DataDiskURI/diskURI!~ CachingMode:*AzureDataDiskCachingMode FSType/fsType:*string ReadOnly:*bool Kind:*AzureDataDiskKind
PhotonPersistentDiskVolumeSource PdID!~ FSType/fsType
ProjectedVolumeSource Sources~:[]VolumeProjection DefaultMode:*int32
PortworxVolumeSource VolumeID!~ FSType/fsType ReadOnly:bool
ScaleIOVolumeSource Gateway!~ System!~ SecretRef!~:*LocalObjectReference SSLEnabled/sslEnabled:bool ProtectionDomain StoragePool StorageMode VolumeName FSType/fsType ReadOnly:bool
StorageOSVolumeSource VolumeName VolumeNamespace FSType/fsType ReadOnly:bool SecretRef:*LocalObjectReference
CSIVolumeSource Driver!~ ReadOnly:*bool FSType/fsType:*string VolumeAttributes:map[string]string NodePublishSecretRef:*LocalObjectReference
EphemeralVolumeSource VolumeClaimTemplate:*PersistentVolumeClaimTemplate ReadOnly:bool-20
ImageVolumeSource Reference PullPolicy:PullPolicy
ContainerPort Name HostPort:int32 ContainerPort!~:int32 Protocol:Protocol HostIP
EnvFromSource Prefix ConfigMapRef:*ConfigMapEnvSource SecretRef:*SecretEnvSource
EnvVar Name!~ Value ValueFrom:*EnvVarSource
ContainerResizePolicy ResourceName!~:ResourceName RestartPolicy!~:ResourceResizeRestartPolicy
ContainerRestartRule Action!:ContainerRestartRuleAction ExitCodes:*ContainerRestartRuleOnExitCodes
VolumeMount Name!~ ReadOnly:bool RecursiveReadOnly:*RecursiveReadOnlyMode+30 MountPath!~ SubPath MountPropagation:*MountPropagationMode SubPathExpr
VolumeDevice Name!~ DevicePath!~
Probe =Handler-22 =ProbeHandler+23 InitialDelaySeconds:int32 TimeoutSeconds:int32 PeriodSeconds:int32 SuccessThreshold:int32 FailureThreshold:int32 TerminationGracePeriodSeconds:*int64+21
Lifecycle PostStart:*Handler-22 PreStop:*Handler-22 PostStart:*LifecycleHandler+23 PreStop:*LifecycleHandler+23 StopSignal:*Signal+33
SecurityContext Capabilities:*Capabilities Privileged:*bool SELinuxOptions/seLinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*int64 RunAsGroup:*int64 RunAsNonRoot:*bool ReadOnlyRootFilesystem:*bool AllowPrivilegeEscalation:*bool ProcMount:*ProcMountType SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile+30
SELinuxOptions User Role Type Level
WindowsSecurityContextOptions GMSACredentialSpecName/gmsaCredentialSpecName:*string GMSACredentialSpec/gmsaCredentialSpec:*string RunAsUserName:*string HostProcess:*bool+22
Sysctl Name!~ Value!~
SeccompProfile Type!~:SeccompProfileType LocalhostProfile:*string
AppArmorProfile Type!~:AppArmorProfileType LocalhostProfile:*string
NodeAffinity RequiredDuringSchedulingIgnoredDuringExecution:*NodeSelector PreferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm
PodAffinity RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm
PodAntiAffinity RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm
PodDNSConfigOption Name Value:*string
ResourceClaim Name!~ Request+31
KeyToPath Key!~ Path!~ Mode:*int32
DownwardAPIVolumeFile Path!~ FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector Mode:*int32
VolumeProjection Secret:*SecretProjection DownwardAPI:*DownwardAPIProjection ConfigMap:*ConfigMapProjection ServiceAccountToken:*ServiceAccountTokenProjection ClusterTrustBundle:*ClusterTrustBundleProjection+29 PodCertificate:*PodCertificateProjection+34
PersistentVolumeClaimTemplate ObjectMeta/metadata:ObjectMeta Spec!~:PersistentVolumeClaimSpec
ConfigMapEnvSource =LocalObjectReference Optional:*bool
SecretEnvSource =LocalObjectReference Optional:*bool
EnvVarSource FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector ConfigMapKeyRef:*ConfigMapKeySelector SecretKeyRef:*SecretKeySelector FileKeyRef:*FileKeySelector+34
ContainerRestartRuleOnExitCodes Operator!:ContainerRestartRuleOnExitCodesOperator Values:[]int32
ExecAction Command:[]string
HTTPGetAction Path Port!~:intstr.IntOrString Host Scheme:URIScheme HTTPHeaders/httpHeaders:[]HTTPHeader
TCPSocketAction Port!~:intstr.IntOrString Host
GRPCAction Port!~:int32 Service~:*string
LifecycleHandler Exec:*ExecAction HTTPGet/httpGet:*HTTPGetAction TCPSocket/tcpSocket:*TCPSocketAction Sleep:*SleepAction+29
Capabilities Add:[]Capability Drop:[]Capability
NodeSelector NodeSelectorTerms!~:[]NodeSelectorTerm
PreferredSchedulingTerm Weight!~:int32 Preference!~:NodeSelectorTerm
PodAffinityTerm LabelSelector:*LabelSelector Namespaces:[]string TopologyKey!~ NamespaceSelector:*LabelSelector+21 MatchLabelKeys:[]string+29 MismatchLabelKeys:[]string+29
WeightedPodAffinityTerm Weight!~:int32 PodAffinityTerm!~:PodAffinityTerm
ObjectFieldSelector APIVersion/apiVersion FieldPath!~
ResourceFieldSelector ContainerName Resource!~ Divisor:resource.Quantity
SecretProjection =LocalObjectReference Items:[]KeyToPath Optional:*bool
DownwardAPIProjection Items:[]DownwardAPIVolumeFile
ConfigMapProjection =LocalObjectReference Items:[]KeyToPath Optional:*bool
ServiceAccountTokenProjection Audience ExpirationSeconds:*int64 Path!~
ClusterTrustBundleProjection Name:*string SignerName:*string LabelSelector:*LabelSelector Optional:*bool Path!~
PodCertificateProjection SignerName! KeyType! MaxExpirationSeconds:*int32 CredentialBundlePath KeyPath CertificateChainPath UserAnnotations:map[string]string+35
ConfigMapKeySelector =LocalObjectReference Key!~ Optional:*bool
SecretKeySelector =LocalObjectReference Key!~ Optional:*bool
FileKeySelector VolumeName!~ Path!~ Key!~ Optional:*bool
HTTPHeader Name!~ Value!~
SleepAction Seconds!~:int64
NodeSelectorTerm MatchExpressions:[]NodeSelectorRequirement MatchFields:[]NodeSelectorRequirement
NodeSelectorRequirement Key!~ Operator!~:NodeSelectorOperator Values:[]string
VolumeSource HostPath:*HostPathVolumeSource EmptyDir:*EmptyDirVolumeSource GCEPersistentDisk/gcePersistentDisk:*GCEPersistentDiskVolumeSource AWSElasticBlockStore/awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource GitRepo:*GitRepoVolumeSource Secret:*SecretVolumeSource NFS/nfs:*NFSVolumeSource ISCSI/iscsi:*ISCSIVolumeSource Glusterfs:*GlusterfsVolumeSource PersistentVolumeClaim:*PersistentVolumeClaimVolumeSource RBD/rbd:*RBDVolumeSource FlexVolume:*FlexVolumeSource Cinder:*CinderVolumeSource CephFS/cephfs:*CephFSVolumeSource Flocker:*FlockerVolumeSource DownwardAPI:*DownwardAPIVolumeSource FC/fc:*FCVolumeSource AzureFile:*AzureFileVolumeSource ConfigMap:*ConfigMapVolumeSource VsphereVolume:*VsphereVirtualDiskVolumeSource Quobyte:*QuobyteVolumeSource AzureDisk:*AzureDiskVolumeSource PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource Projected:*ProjectedVolumeSource PortworxVolume:*PortworxVolumeSource ScaleIO:*ScaleIOVolumeSource StorageOS/storageos:*StorageOSVolumeSource CSI/csi:*CSIVolumeSource Ephemeral:*EphemeralVolumeSource Image:*ImageVolumeSource+31
ProbeHandler Exec:*ExecAction HTTPGet/httpGet:*HTTPGetAction TCPSocket/tcpSocket:*TCPSocketAction GRPC/grpc:*GRPCAction
WorkloadReference Name PodGroup PodGroupReplicaKey
ClaimSource ResourceClaimName:*string ResourceClaimTemplateName:*string
Handler Exec:*ExecAction HTTPGet/httpGet:*HTTPGetAction TCPSocket/tcpSocket:*TCPSocketAction
";

/// OpenKruise's types, of both versions.
const CLONE_SET: &str = "\
CloneSet APIVersion/apiVersion Kind Metadata:ObjectMeta Spec:CloneSetSpec Status:any
CloneSetSpec Replicas:*int32 MinReadySeconds:*int32 RevisionHistoryLimit:*int32 ProgressDeadlineSeconds:*int32 Selector:LabelSelector Template:PodTemplateSpec VolumeClaimTemplates:[]PersistentVolumeClaim ScaleStrategy:*CloneSetScaleStrategy UpdateStrategy:*CloneSetUpdateStrategy Lifecycle:*CloneSetLifecycle
CloneSetScaleStrategy PodsToDelete:[]string MaxUnavailable:*intstr.IntOrString EnablePVCReuse:bool ExcludePreparingDelete:bool
CloneSetUpdateStrategy Type RollingUpdate:*RollingUpdateCloneSet
RollingUpdateCloneSet PodUpdatePolicy Partition:*intstr.IntOrString MaxUnavailable:*intstr.IntOrString MaxSurge:*intstr.IntOrString Paused:bool PriorityStrategy:*UpdatePriorityStrategy ScatterStrategy:[]UpdateScatterTerm InPlaceUpdateStrategy:*InPlaceUpdateStrategy
CloneSetOfV1alpha1 APIVersion/apiVersion Kind Metadata:ObjectMeta Spec:CloneSetSpecOfV1alpha1 Status:any
CloneSetSpecOfV1alpha1 Replicas:*int32 MinReadySeconds:*int32 RevisionHistoryLimit:*int32 ProgressDeadlineSeconds:*int32 Selector:LabelSelector Template:PodTemplateSpec VolumeClaimTemplates:[]PersistentVolumeClaim ScaleStrategy:*ScaleStrategyOfV1alpha1 UpdateStrategy:*UpdateStrategyOfV1alpha1 Lifecycle:*CloneSetLifecycle
ScaleStrategyOfV1alpha1 PodsToDelete:[]string MaxUnavailable:*intstr.IntOrString DisablePVCReuse:bool
UpdateStrategyOfV1alpha1 Type Partition:*intstr.IntOrString MaxUnavailable:*intstr.IntOrString MaxSurge:*intstr.IntOrString Paused:bool PriorityStrategy:*UpdatePriorityStrategy ScatterStrategy:[]UpdateScatterTerm InPlaceUpdateStrategy:*InPlaceUpdateStrategy
UpdatePriorityStrategy OrderPriority:[]UpdatePriorityOrderTerm WeightPriority:[]UpdatePriorityWeightTerm
UpdatePriorityOrderTerm OrderedKey
UpdatePriorityWeightTerm Weight:*int32 MatchSelector:LabelSelector
UpdateScatterTerm Key Value
InPlaceUpdateStrategy GracePeriodSeconds:*int32
AdvancedStatefulSet APIVersion/apiVersion Kind Metadata:ObjectMeta Spec:AdvancedStatefulSetSpec Status:any
AdvancedStatefulSetSpec Replicas:*int32 RevisionHistoryLimit:*int32 Selector:LabelSelector Template:PodTemplateSpec VolumeClaimTemplates:[]PersistentVolumeClaim VolumeClaimUpdateStrategy:*VolumeClaimUpdateStrategy ServiceName PodManagementPolicy UpdateStrategy:*AdvancedUpdateStrategy ReserveOrdinals:[]intstr.IntOrString Lifecycle:*CloneSetLifecycle ScaleStrategy:*AdvancedScaleStrategy PersistentVolumeClaimRetentionPolicy:*StatefulSetPersistentVolumeClaimRetentionPolicy Ordinals:*StatefulSetOrdinals
VolumeClaimUpdateStrategy Type
AdvancedScaleStrategy MaxUnavailable:*intstr.IntOrString
AdvancedUpdateStrategy Type RollingUpdate:*AdvancedRollingUpdate
AdvancedRollingUpdate Partition:*int32 MinReadySeconds:*int32 MaxUnavailable:*intstr.IntOrString PodUpdatePolicy Paused:bool UnorderedUpdate:*UnorderedUpdateStrategy InPlaceUpdateStrategy:*InPlaceUpdateStrategy
UnorderedUpdateStrategy PriorityStrategy:*UpdatePriorityStrategy
CloneSetLifecycle PreDelete:*LifecycleHook InPlaceUpdate:*LifecycleHook PreNormal:*LifecycleHook
LifecycleHook LabelsHandler:map[string]string FinalizersHandler:[]string MarkPodNotReady:bool
";

/// A field as Go declares it.
#[derive(Debug)]
pub(crate) struct GoField {
    /// That of the type where it is embedded.
    pub(crate) name: &'static str,
    pub(crate) json: String,
    pub(crate) go_type: &'static str,
    pub(crate) is_embedded: bool,
    pub(super) is_required: bool,
    /// Written though it is empty.
    pub(super) is_always: bool,
    since: u32,
    until: u32,
}

impl GoField {
    fn read(mut text: &'static str) -> Self {
        let mut last = |mark: char| {
            let (rest, number) = text.rsplit_once(mark)?;
            let number = number.parse().ok()?;
            text = rest;
            Some(number)
        };
        let until = last('-').unwrap_or(u32::MAX);
        let since = last('+').unwrap_or(0);
        let (names, go_type) = match text.strip_prefix('=') {
            Some(embedded) => (embedded, embedded),
            None => text.split_once(':').unwrap_or((text, "string")),
        };
        let bare = names.trim_end_matches(['!', '~']);
        let is_marked = |mark: char| names[bare.len()..].contains(mark);
        let (name, json) = match bare.split_once('/') {
            Some((name, json)) => (name, json.to_owned()),
            None => (bare, bare[..1].to_ascii_lowercase() + &bare[1..]),
        };
        let (is_required, is_always, is_embedded) = (is_marked('!'), is_marked('~'), text.starts_with('='));
        Self { name, json, go_type, is_embedded, is_required, is_always, since, until }
    }

    /// The first and the last minor release whose types have it.
    pub(super) fn releases(&self) -> (u32, u32) {
        (self.since, self.until)
    }

    /// Whether the types of 1.`types` have it.
    pub(crate) fn exists(&self, types: u32) -> bool {
        (self.since..=self.until).contains(&types)
    }
}

static GO_TYPES: LazyLock<BTreeMap<&'static str, Vec<GoField>>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let mut words = line.split(' ');
        Some((words.next()?, words.map(GoField::read).collect()))
    };
    TYPES.lines().chain(CLONE_SET.lines()).filter_map(line).collect()
});

/// The fields of a type; none of what is no struct here.
pub(crate) fn go_fields(type_name: &str) -> Option<&'static [GoField]> {
    GO_TYPES.get(type_name).map(Vec::as_slice)
}

/// The names of all types.
pub(super) fn go_types() -> impl Iterator<Item = &'static str> {
    GO_TYPES.keys().copied()
}
