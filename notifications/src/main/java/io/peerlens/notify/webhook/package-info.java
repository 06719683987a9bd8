/** Messages as HTTP requests: authentication, signatures, TLS, and what answers mean. */
@NullMarked
package io.peerlens.notify.webhook;

import org.jspecify.annotations.NullMarked;
