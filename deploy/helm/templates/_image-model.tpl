{{/*
The values of the image model's pool in the shape of `modelServer`, whose container and volumes it has: YAML, to be read into
the root's values. The certificates are the model servers' own.
*/}}
{{- define "packshot.imageModelServer" -}}
{{- $own := deepCopy .Values.imageModel }}
{{- $_ := set $own "mode" "apart" }}
{{- $_ := set $own "engine" "packshot" }}
{{- $_ := set $own "image" .Values.modelServer.image }}
{{- $_ := set $own "tls" .Values.modelServer.tls }}
{{- $_ := set $own "models" (dict "existingClaim" .Values.imageModel.existingClaim "manifest" .Values.imageModel.manifest "size" .Values.imageModel.size "pull" list "served" list "dir" "") }}
{{- toYaml $own }}
{{- end }}

{{/* Pulls the files of the manifest into the volume and checks each by its SHA-256, before the model server starts. */}}
{{- define "packshot.imageModelPull" -}}
- name: pull-image-model
  image: {{ include "packshot.image" . }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  terminationMessagePolicy: FallbackToLogsOnError
  args: [cli/packshot.ts, models, pull, --manifest, /etc/image-model/manifest.json, --keep-verified, --model-dir, /models]
  securityContext: {{- include "packshot.containerSecurity" . | nindent 4 }}
  resources: {{- toYaml .Values.imageModel.pullResources | nindent 4 }}
  volumeMounts:
    - { name: models, mountPath: /models }
    - { name: manifest, mountPath: /etc/image-model, readOnly: true }
    - { name: tmp, mountPath: /tmp }
{{- end }}
