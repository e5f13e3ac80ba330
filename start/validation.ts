import vine from '@vinejs/vine'
import { LimitedErrorReporter } from '#core/validation/fault_limit'

/** Validators copy this when they are created, so it must be imported before them. */
vine.errorReporter = () => new LimitedErrorReporter()
