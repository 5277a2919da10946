{{/* The model server's container: a deployment of its own has it, or each worker as a sidecar. */}}
{{- define "packshot.modelServerContainer" -}}
{{- $root := .root }}
{{- $own := $root.Values.modelServer }}
{{- $sidecar := eq $own.mode "sidecar" }}
{{- $image := mergeOverwrite (deepCopy $root.Values.image) (deepCopy $own.image) }}
- name: model-server
  image: {{ include "packshot.imageOf" (dict "image" $image "defaultTag" (printf "%s%s" $root.Chart.AppVersion (ternary "-cuda" "" $own.gpu.enabled))) }}
  imagePullPolicy: {{ $root.Values.image.pullPolicy }}
  terminationMessagePolicy: FallbackToLogsOnError
  {{- with .restartPolicy }}
  restartPolicy: {{ . }}
  {{- end }}
  # The flags are explained in cli/up/services.ts.
  args: [--max-semi-space-size=2, --heap-growing-percent=400, services/inference/model-server-main.ts]
  securityContext: {{- include "packshot.containerSecurity" $root | nindent 4 }}
  env:
    {{- $with := dict
      "PACKSHOT_MODEL_HOST" "0.0.0.0"
      "PACKSHOT_MODEL_GRPC_PORT" "8001"
      "PACKSHOT_MODEL_HTTP_PORT" "8002"
      "PACKSHOT_EXECUTION_PROVIDERS" (ternary "cuda,cpu" "cpu" $own.gpu.enabled)
      "PACKSHOT_REQUIRE_GPU" (ternary "1" "0" $own.gpu.enabled)
    }}
    {{- if not $sidecar }}
    {{- $_ := set $with "PACKSHOT_DRAIN_SECONDS" $own.drainSeconds }}
    {{- end }}
    {{- if $sidecar }}
    {{- $_ := set $with "PACKSHOT_MODEL_SOCKET" "/run/packshot/model-server.sock" }}
    {{- end }}
    {{- $_ := set $with "PACKSHOT_MODEL_SERVER_TOKEN_FILE" "/run/secrets/model-server/token" }}
    {{- if and $own.tls.existingSecret (not $sidecar) }}
    {{- $_ := set $with "PACKSHOT_MODEL_SERVER_TLS_CERT_FILE" "/run/secrets/model-server-tls/tls.crt" }}
    {{- $_ := set $with "PACKSHOT_MODEL_SERVER_TLS_KEY_FILE" "/run/secrets/model-server-tls/tls.key" }}
    {{- end }}
    {{- if $own.models.dir }}
    {{- $_ := set $with "PACKSHOT_MODEL_DIR" $own.models.dir }}
    {{- else if include "packshot.hasModels" $root }}
    {{- $_ := set $with "PACKSHOT_MODEL_DIR" "/models" }}
    {{- end }}
    {{- include "packshot.modelServerSettings" (dict "root" $root "own" $own "with" $with) | trim | nindent 4 }}
  ports:
    - { name: grpc, containerPort: 8001 }
    - { name: {{ ternary "model-metrics" "metrics" $sidecar }}, containerPort: 8002 }
  {{- include "packshot.probes" (dict "port" (ternary "model-metrics" "metrics" $sidecar) "startupFailures" (div (int $own.startupSeconds) 2)) | nindent 2 }}
  resources: {{- include "packshot.modelServerResources" $root | nindent 4 }}
  volumeMounts:
    - { name: {{ ternary "model-tmp" "tmp" $sidecar }}, mountPath: /tmp }
    - { name: model-token, mountPath: /run/secrets/model-server, readOnly: true }
    {{- if and $own.tls.existingSecret (not $sidecar) }}
    - { name: model-tls, mountPath: /run/secrets/model-server-tls, readOnly: true }
    {{- end }}
    {{- if include "packshot.hasModels" $root }}
    - { name: models, mountPath: /models, readOnly: true }
    {{- end }}
    {{- if $sidecar }}
    - { name: socket, mountPath: /run/packshot }
    {{- end }}
    {{- with $own.extraVolumeMounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}

{{/* The model server opens what anybody sends: it gets no settings but its own and those of every process. */}}
{{- define "packshot.modelServerSettings" -}}
{{- $all := mergeOverwrite .with (deepCopy .root.Values.settings) (deepCopy .own.settings) }}
{{- range $name, $value := $all }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- with .own.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "packshot.modelServerResources" -}}
{{- $own := .Values.modelServer }}
{{- $resources := deepCopy $own.resources }}
{{- if $own.gpu.enabled }}
{{- $_ := set $resources "limits" (merge (dict $own.gpu.resourceName $own.gpu.count) $resources.limits) }}
{{- end }}
{{- toYaml $resources }}
{{- end }}

{{- define "packshot.hasModels" -}}
{{- if or (eq .Values.modelServer.engine "triton") .Values.modelServer.models.pull .Values.modelServer.models.existingClaim .Values.modelServer.models.manifest }}yes{{ end -}}
{{- end }}

{{/* Pulls each model into the volume and checks its SHA-256, before the model server starts. */}}
{{- define "packshot.modelPull" -}}
{{- $own := .Values.modelServer }}
{{- range $own.models.pull }}
- name: pull-{{ .name | replace "." "-" | replace "_" "-" | trunc 50 }}
  image: {{ include "packshot.image" $ }}
  imagePullPolicy: {{ $.Values.image.pullPolicy }}
  terminationMessagePolicy: FallbackToLogsOnError
  args: [cli/packshot.ts, models, pull, {{ .name | quote }}, --keep-verified, --model-dir, /models{{ with .sha256 }}, --accept-sha256, {{ . | quote }}{{ end }}]
  securityContext: {{- include "packshot.containerSecurity" $ | nindent 4 }}
  resources: {{- toYaml $own.models.resources | nindent 4 }}
  volumeMounts:
    - { name: models, mountPath: /models }
    - { name: {{ ternary "model-tmp" "tmp" (eq $own.mode "sidecar") }}, mountPath: /tmp }
{{- end }}
{{- end }}

{{- define "packshot.modelVolumes" -}}
{{- $own := .Values.modelServer }}
{{- $sidecar := eq $own.mode "sidecar" }}
- name: {{ ternary "model-tmp" "tmp" $sidecar }}
  emptyDir: { sizeLimit: {{ $own.tmpSize }} }
{{- if eq $own.engine "triton" }}
- name: shared-memory
  emptyDir: { medium: Memory, sizeLimit: 1Gi }
{{- end }}
{{- if $sidecar }}
- name: socket
  emptyDir: { sizeLimit: 1Mi }
{{- end }}
{{- if not $sidecar }}
{{ include "packshot.modelTokenVolume" . }}
{{- with $own.tls.existingSecret }}
- name: model-tls
  secret:
    secretName: {{ . }}
    defaultMode: 0440
    items: [{ key: tls.crt, path: tls.crt }, { key: tls.key, path: tls.key }]
{{- end }}
{{- end }}
{{- if $own.models.existingClaim }}
- name: models
  persistentVolumeClaim: { claimName: {{ $own.models.existingClaim }} }
{{- else if include "packshot.hasModels" . }}
- name: models
  emptyDir: { sizeLimit: {{ $own.models.size }} }
{{- end }}
{{- with $own.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Workers and model server have it. */}}
{{- define "packshot.modelTokenVolume" -}}
- name: model-token
  secret:
    secretName: {{ .Values.existingSecret }}
    defaultMode: 0440
    items: [{ key: PACKSHOT_MODEL_SERVER_TOKEN, path: token }]
{{- end }}
