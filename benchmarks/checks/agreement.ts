import type { Candidate } from './candidates.ts'

const SAMPLE = 100

/**
 * Sends every candidate a sample of its own checks and compares the results with the workload.
 *
 * @returns the number of decisions compared
 * @throws Error at the first wrong answer: figures of something that answers wrongly mean nothing
 */
export async function requireAgreement(candidates: Candidate[]): Promise<number> {
  let compared = 0
  for (const candidate of candidates.filter(({ decides }) => decides)) {
    const { questions, workload } = candidate
    const step = Math.max(1, Math.floor(questions.length / SAMPLE))
    for (let index = 0; index < questions.length; index += step) {
      const expected = workload.answers(questions[index])
      const answers = await ask(candidate, index)
      compared += expected.length
      if (answers.every((answer, place) => answer === expected[place])) continue
      const question = JSON.stringify(questions[index])
      throw new Error(`${candidate.name} answers ${question} with ${JSON.stringify(answers)}`)
    }
  }
  return compared
}

/** Sends one check and reads the result. */
export async function ask({ server, api, questions, workload }: Candidate, index: number) {
  const question = questions[index]
  const response = await fetch(`${server.url}${api.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(api.encode(question, workload)),
  })
  if (!response.ok) throw new Error(`${api.path} answers ${response.status}`)
  return api.decode(await response.json(), question)
}
