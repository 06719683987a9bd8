package io.peerlens.alert;

import java.util.UUID;

/**
 * Identity of an alert: there is never more than one open alert of a key.
 *
 * @param definition the threshold or alert definition
 * @param objectId number of the object
 */
record AlertKey(UUID definition, int objectId) {}
