import { computed } from 'vue'
import { canAsk, stepsOf } from '@/pages/provider/steps'
import { useMailProvider, useProviderHealth, useSetupPreview } from '@/queries/provider'

/** The steps to a provider that works, as they are now. */
export function useSteps() {
  const status = useMailProvider()
  const health = useProviderHealth()
  const preview = useSetupPreview(computed(() => canAsk(status.data.value)))
  const steps = computed(() =>
    status.data.value
      ? stepsOf({
          status: status.data.value,
          health: health.data.value,
          preview: preview.data.value,
          previewError: preview.error.value,
        })
      : []
  )
  function retry() {
    void status.refetch()
    void health.refetch()
    if (canAsk(status.data.value)) void preview.refetch()
  }
  return {
    steps,
    status,
    error: computed(() => status.error.value ?? health.error.value),
    isChecking: computed(() => [status, health, preview].some((one) => one.isFetching.value)),
    retry,
  }
}
