import { type ServiceSettings, startService } from '#tests/world/service'

/** The output of a service that fails to start. */
export async function startupFailure(settings: ServiceSettings): Promise<string> {
  try {
    const service = await startService(settings)
    await service.stop()
  } catch (error) {
    return (error as Error).message
  }
  return 'the service started'
}
