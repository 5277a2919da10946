{{- define "packshot.name" -}}
{{ .Values.fullnameOverride | default .Release.Name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{/* What selects the pods of a component. Selectors cannot change later, so nothing else belongs here. */}}
{{- define "packshot.selector" -}}
app.kubernetes.io/name: packshot
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "packshot.labels" -}}
{{ include "packshot.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* An image by registry, repository, and digest or tag. Ours have the chart's version where none is given. */}}
{{- define "packshot.imageOf" -}}
{{- with .image.registry }}{{ . }}/{{ end -}}
{{ .image.repository }}
{{- if .image.digest }}@{{ .image.digest }}{{ else }}:{{ .image.tag | default .defaultTag }}{{ end -}}
{{- end }}

{{- define "packshot.image" -}}
{{ include "packshot.imageOf" (dict "image" .Values.image "defaultTag" .Chart.AppVersion) }}
{{- end }}

{{- define "packshot.serviceAccount" -}}
{{- $given := (index .root.Values (.values | default .component)).serviceAccount -}}
{{ $given.name | default (printf "%s-%s" (include "packshot.name" .root) (.account | default .component)) }}
{{- end }}

{{- define "packshot.natsUrl" -}}
{{- if .Values.nats.url -}}
{{ .Values.nats.url }}
{{- else -}}
{{- $name := include "packshot.name" . -}}
{{- $servers := list -}}
{{- range $index := until (int .Values.nats.replicas) -}}
{{- $servers = append $servers (printf "nats://%s-nats-%d.%s-nats.%s.svc:4222" $name $index $name $.Release.Namespace) -}}
{{- end -}}
{{ join "," $servers }}
{{- end -}}
{{- end }}

{{/* Replicas of each stream: three from three servers on. */}}
{{- define "packshot.streamReplicas" -}}
{{- if .Values.nats.streamReplicas }}{{ .Values.nats.streamReplicas }}{{ else if .Values.nats.url }}3{{ else }}{{ ternary 3 1 (ge (int .Values.nats.replicas) 3) }}{{ end -}}
{{- end }}

{{- define "packshot.storageClaim" -}}
{{ .Values.storage.volume.existingClaim | default (printf "%s-storage" (include "packshot.name" .)) }}
{{- end }}

{{/* Pods that mount one ReadWriteOnce volume must be on the node to which it is attached. */}}
{{- define "packshot.storageIsOnOneNode" -}}
{{- if and (eq .Values.storage.type "volume") (eq .Values.storage.volume.accessMode "ReadWriteOnce") }}yes{{ end -}}
{{- end }}
