{{- define "packshot.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "packshot.labels" -}}
app.kubernetes.io/name: packshot
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "packshot.natsUrl" -}}
{{- if .Values.nats.url -}}
{{ .Values.nats.url }}
{{- else -}}
{{- $servers := list -}}
{{- range $index := until (int .Values.nats.replicas) -}}
{{- $servers = append $servers (printf "nats://%s-nats-%d.%s-nats:4222" $.Release.Name $index $.Release.Name) -}}
{{- end -}}
{{ join "," $servers }}
{{- end -}}
{{- end }}

{{/* Settings of every process. */}}
{{- define "packshot.settings" -}}
- { name: PACKSHOT_NATS_URL, value: {{ include "packshot.natsUrl" . | quote }} }
- { name: PACKSHOT_PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
- { name: PACKSHOT_STORAGE_DIR, value: /storage }
- { name: PACKSHOT_METRICS_HOST, value: 0.0.0.0 }
- { name: PACKSHOT_METRICS_PORT, value: "9090" }
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* One key of the operator's secret. Each process gets only the keys that it needs. */}}
{{- define "packshot.secret" -}}
- name: {{ .key }}
  valueFrom: { secretKeyRef: { name: {{ .root.Values.existingSecret }}, key: {{ .key }} } }
{{- end }}

{{- define "packshot.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "packshot.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}
