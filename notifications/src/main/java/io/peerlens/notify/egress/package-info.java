/**
 * Where notifications may go. Whoever may edit targets could otherwise make the service talk to
 * itself, to its database or to the metadata of its cloud.
 */
@NullMarked
package io.peerlens.notify.egress;

import org.jspecify.annotations.NullMarked;
