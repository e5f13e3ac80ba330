/**
 * What `/metrics` tells, section by section.
 */
import '#core/metrics/collect'
import '#core/metrics/process_metrics'
import '#core/metrics/request_durations'
import '#app/checks/metrics'
import '#app/delivery/metrics'
import '#start/outbox_metrics'
