import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './publicAddress.ts';

describe('an IP address', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '168.63.129.17',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:400e:80d::200e',
    '2001:200::1',
    '64:ff9b::8.8.8.8',
    '64:ff9b::808:808',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['0.0.0.0', 'this host'],
    ['0.1.2.3', 'this network'],
    ['10.0.0.0', 'private'],
    ['10.255.255.255', 'private'],
    ['100.64.0.0', 'behind a carrier'],
    ['100.100.100.200', 'metadata of Alibaba'],
    ['100.127.255.255', 'behind a carrier'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.255', 'loopback'],
    ['168.63.129.16', 'Azure from inside'],
    ['169.254.0.0', 'link-local'],
    ['169.254.169.254', 'metadata'],
    ['172.16.0.0', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.192', 'metadata of Oracle'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', 'relay'],
    ['192.168.0.0', 'private'],
    ['192.168.255.255', 'private'],
    ['198.18.0.0', 'benchmark'],
    ['198.19.255.255', 'benchmark'],
    ['198.51.100.7', 'documentation'],
    ['203.0.113.7', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['::8.8.8.8', 'compatible'],
    ['::ffff:127.0.0.1', 'mapped'],
    ['::ffff:8.8.8.8', 'mapped'],
    ['::ffff:0:8.8.8.8', 'translated'],
    ['64:ff9b::127.0.0.1', 'loopback by NAT64'],
    ['64:ff9b::', 'this host by NAT64'],
    ['64:ff9b::a9fe:a9fe', 'metadata by NAT64'],
    ['64:ff9b::7f00:0', 'loopback by NAT64'],
    ['64:ff9b:1::8.8.8.8', 'NAT64 of a local network'],
    ['100::1', 'discarded'],
    ['2001::1', 'Teredo'],
    ['2001:2::1', 'benchmark'],
    ['2001:10::1', 'ORCHID'],
    ['2001:20::1', 'ORCHID'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4'],
    ['2002:808:808::1', '6to4'],
    ['3fff::1', 'documentation'],
    ['4000::1', 'reserved'],
    ['5f00::1', 'segment routing'],
    ['fc00::1', 'unique-local'],
    ['fd00:ec2::254', 'metadata'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['2606:4700::1%eth0', 'with a zone'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['localhost', 'no address'],
    ['2130706433', 'no address'],
    ['', 'no address'],
  ])('%s is not public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('is public as IPv4 exactly when it is public by NAT64', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(isPublicAddress(address));
      }),
    );
  });
});
