/** The value of a sample such as `concierge_http_connections` or `…{class="sends"}`. */
export async function metricOf(url: string, sample: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `))
  return Number(line?.slice(sample.length + 1) ?? Number.NaN)
}

export const inFlight = (url: string, name: string) =>
  metricOf(url, `concierge_http_requests_in_flight{class="${name}"}`)
