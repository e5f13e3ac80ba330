import { refDebounced } from '@vueuse/core'
import { computed, ref, watch } from 'vue'
import { type Finding, useFindings } from '@/pages/templates/warnings'
import {
  type TemplatePreview,
  type Texts,
  type VersionPlace,
  usePreview,
} from '@/queries/template_versions'

const SETTLED_MS = 500

/** The preview of texts while they are written, and what could be better about them. */
export function useLivePreview(
  place: VersionPlace,
  texts: Readonly<Texts>,
  data: () => Record<string, unknown> | null
) {
  const written = computed(() => ({
    subject: texts.subject,
    body: texts.body,
    data: data() ?? {},
  }))
  const settled = refDebounced(written, SETTLED_MS)
  const canPreview = computed(() => settled.value.subject !== '' && settled.value.body !== '')
  const { data: found, error, isPlaceholderData, refetch } = usePreview(place, settled, canPreview)

  /** Stays while an error prevents another. */
  const shown = ref<TemplatePreview>()
  watch(
    found,
    (one) => {
      if (one) shown.value = one
    },
    { immediate: true }
  )

  const { ofProblem, ofWarning } = useFindings()
  /** Why the texts cannot be published. */
  const refusal = computed(() => (canPreview.value ? ofProblem(error.value) : null))
  const findings = computed((): Finding[] => {
    if (!canPreview.value) return []
    if (refusal.value) return [refusal.value]
    return (found.value?.warnings ?? []).map(ofWarning)
  })
  return {
    canPreview,
    shown,
    refusal,
    findings,
    error,
    refetch,
    isChecked: computed(() => canPreview.value && Boolean(found.value ?? refusal.value)),
    /** What is shown is not yet, or not any more, what is written. */
    isOld: computed(() => error.value !== null || isPlaceholderData.value),
  }
}

export type LivePreview = ReturnType<typeof useLivePreview>
