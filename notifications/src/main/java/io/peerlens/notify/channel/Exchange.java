package io.peerlens.notify.channel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of an attempt.
 *
 * @param sent what was sent, or would have been when the connection failed
 * @param answer null when none came
 * @param took from the first step to the last
 * @param verdict what follows from it
 */
public record Exchange(Sent sent, @Nullable Answer answer, Duration took, Verdict verdict) {}
