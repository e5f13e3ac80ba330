import { type QueryKey, useMutation, useQueryClient } from '@tanstack/vue-query'
import { nextTick } from 'vue'
import { useI18n } from 'vue-i18n'
import { type Api, api } from '@/api/client'
import { Problem } from '@/api/problem'
import { toast } from '@/ui/toasts'

interface ChangeOptions<Input, Result> {
  /** Keys of what is read again afterwards, and everything below them. */
  refresh: QueryKey[]
  /** What the message says once it is done; without it, there is none. */
  done?: (result: Result, input: Input) => string
  onSuccess?: (result: Result, input: Input) => unknown
  /** Leaves first and reads again afterwards, because what is shown no longer exists. */
  isDeletion?: boolean
  /** Handles a problem. Without it, or if it returns false, its text is shown as a message. */
  onProblem?: (problem: Problem, input: Input) => boolean
}

/** A change that is not a form, such as a deletion. What fails is said in a message. */
export function useChange<Input, Result>(
  send: (api: Api, input: Input) => Promise<Result>,
  { refresh, done, onSuccess, isDeletion = false, onProblem }: ChangeOptions<Input, Result>
) {
  const { t } = useI18n()
  const queries = useQueryClient()
  const readAgain = () =>
    Promise.all(refresh.map((queryKey) => queries.invalidateQueries({ queryKey })))
  const mutation = useMutation({
    mutationFn: (input: Input) => send(api, input),
    async onSuccess(result, input) {
      if (done) toast(done(result, input))
      if (!isDeletion) await readAgain()
      await onSuccess?.(result, input)
      if (!isDeletion) return
      await nextTick()
      await readAgain()
    },
    onError(error, input) {
      if (!(error instanceof Problem)) toast(t('problem.offline'), true)
      else if (!onProblem?.(error, input)) toast(error.message, true)
    },
  })
  return {
    ...mutation,
    /** The write, for `CopyCommand`. */
    write: (input: Input) => (target: Api) => send(target, input),
  }
}
