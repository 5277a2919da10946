{{/*
Settings of a process, in this order: the chart's, `settings` of every process, the component's own. Each stands once:
Kubernetes would take the last of two, and `helm upgrade` would mix them up.
*/}}
{{- define "packshot.settings" -}}
{{- $all := dict
  "PACKSHOT_NATS_URL" (include "packshot.natsUrl" .root)
  "PACKSHOT_PUBLIC_URL" .root.Values.publicUrl
  "PACKSHOT_METRICS_HOST" "0.0.0.0"
  "PACKSHOT_METRICS_PORT" "9090"
}}
{{- if .storage }}
{{- if eq .root.Values.storage.type "volume" }}
{{- $_ := set $all "PACKSHOT_STORAGE_DIR" "/storage" }}
{{- end }}
{{- end }}
{{- if and .s3 (eq .root.Values.storage.type "s3") }}
{{- $s3 := .root.Values.storage.s3 }}
{{- $_ := set $all "PACKSHOT_STORAGE" "s3" }}
{{- $_ := set $all "PACKSHOT_S3_BUCKET" (required "storage.type is s3: set storage.s3.bucket" $s3.bucket) }}
{{- $_ := set $all "PACKSHOT_S3_REGION" $s3.region }}
{{- range $name, $value := dict "PACKSHOT_S3_ENDPOINT" $s3.endpoint "PACKSHOT_S3_PUBLIC_ENDPOINT" $s3.publicEndpoint "PACKSHOT_S3_PREFIX" $s3.prefix }}
{{- if $value }}{{ $_ := set $all $name $value }}{{ end }}
{{- end }}
{{- if $s3.forcePathStyle }}{{ $_ := set $all "PACKSHOT_S3_FORCE_PATH_STYLE" "1" }}{{ end }}
{{- end }}
{{- range .secretFiles }}
{{- $_ := set $all (include "packshot.secretFileSetting" .) (printf "/run/secrets/packshot/%s" .) }}
{{- end }}
{{- with .natsUser }}
{{- if $.root.Values.nats.auth.enabled }}
{{- $_ := set $all "PACKSHOT_NATS_USER" . }}
{{- $_ := set $all "PACKSHOT_NATS_PASSWORD_FILE" "/run/secrets/nats/password" }}
{{- end }}
{{- if $.root.Values.nats.tls.existingSecret }}
{{- $_ := set $all "PACKSHOT_NATS_TLS_CA_FILE" "/run/secrets/nats-ca/ca.crt" }}
{{- end }}
{{- end }}
{{- $all = mergeOverwrite $all (.with | default dict) (deepCopy .root.Values.settings) (deepCopy (.own.settings | default dict)) }}
{{- range $name, $value := $all }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- if and .s3 (eq .root.Values.storage.type "s3") }}
{{- with .root.Values.storage.s3.existingSecret }}
{{- $secret := . }}
{{- range list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . }} } }
{{- end }}
{{- end }}
{{- end }}
{{- with .own.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* PACKSHOT_LINK_KEY_FILE, which names the file of that key. */}}
{{- define "packshot.secretFileSetting" -}}
{{ ternary . (printf "PACKSHOT_%s" .) (hasPrefix "PACKSHOT_" .) }}_FILE
{{- end }}

{{/*
Keys of the operator's secret that nats-server reads from its environment. Our own processes read files (`secretFiles` of
a pod): an environment is inherited by children, and shown by whatever describes a process. Each gets only what it needs.
*/}}
{{- define "packshot.secrets" -}}
{{- range .keys }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $.root.Values.existingSecret }}, key: {{ . }} } }
{{- end }}
{{- end }}
