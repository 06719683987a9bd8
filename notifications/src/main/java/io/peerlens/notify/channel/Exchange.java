package io.peerlens.notify.channel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Exchange of an attempt: what was sent, what came back, and the verdict.
 *
 * @param sent what was sent, or would have been when the connection failed
 * @param answer null when none came
 * @param took from the first step to the last
 * @param verdict what follows from it
 */
public record Exchange(Sent sent, @Nullable Answer answer, Duration took, Verdict verdict) {}
