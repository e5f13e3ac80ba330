import type { ApplicationService } from '@adonisjs/core/types'

export default class Placeholder {
  constructor(protected app: ApplicationService) {}
}
