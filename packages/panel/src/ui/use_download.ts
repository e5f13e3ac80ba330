import { ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { Problem } from '@/api/problem'
import { download } from '@/files/download'
import { toast } from '@/ui/toasts'

/** Saves a file that the service makes. What fails is said in a message. */
export function useDownload() {
  const { t } = useI18n()
  const isLoading = ref(false)

  async function save(name: string, read: () => Promise<Blob>) {
    isLoading.value = true
    try {
      download(name, await read())
    } catch (failure) {
      toast(failure instanceof Problem ? failure.message : t('problem.offline'), true)
    } finally {
      isLoading.value = false
    }
  }
  return { isLoading, save }
}
