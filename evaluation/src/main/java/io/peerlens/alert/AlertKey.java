package io.peerlens.alert;

import java.util.UUID;

/**
 * What there is never more than one open alert for.
 *
 * @param definition the threshold or alert definition
 * @param objectId number of the object
 */
record AlertKey(UUID definition, int objectId) {}
