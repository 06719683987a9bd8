package io.peerlens.notify.delivery;

import java.util.UUID;

/** Key of what a target has heard: the target, and an alert or a group. */
public record TargetSubject(UUID target, UUID subject) {}
