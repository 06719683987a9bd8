/**
 * Incidents: open alerts that share a cause, as one thing to take, tell and close. {@link
 * io.peerlens.incident.CauseJudge} decides which alert explains which; nothing here reads clocks or
 * pages.
 */
@org.jspecify.annotations.NullMarked
package io.peerlens.incident;
