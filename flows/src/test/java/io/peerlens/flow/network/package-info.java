@NullMarked
package io.peerlens.flow.network;

import org.jspecify.annotations.NullMarked;
