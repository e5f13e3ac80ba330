import { type ServiceSettings, startService } from '#tests/world/service'

/** What a service with these settings printed when it did not start. */
export async function refusalToStart(settings: ServiceSettings): Promise<string> {
  try {
    const service = await startService(settings)
    await service.stop()
  } catch (error) {
    return (error as Error).message
  }
  return 'it started'
}
